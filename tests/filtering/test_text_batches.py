import numpy as np
import pytest
import torch
import transformers

from pipeline.filtering.text_batches import longest, quick, read_batches

SMALL = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "initializer_range": 0.5,
}
MODELS = {
    "BERT": lambda: transformers.BertForMaskedLM(transformers.BertConfig(**SMALL)),
    "RoBERTa": lambda: transformers.RobertaForMaskedLM(
        transformers.RobertaConfig(**SMALL, max_position_embeddings=24, pad_token_id=1)
    ),
    "ALBERT": lambda: transformers.AlbertForSequenceClassification(
        transformers.AlbertConfig(**SMALL, embedding_size=8, num_labels=3)
    ),
    "DeBERTa": lambda: transformers.DebertaV2ForSequenceClassification(
        transformers.DebertaV2Config(**SMALL, num_labels=3)
    ),
    "GPT-1": lambda: transformers.OpenAIGPTLMHeadModel(
        transformers.OpenAIGPTConfig(vocab_size=50, n_embd=16, n_layer=2, n_head=2)
    ),
    "GPT-2": lambda: transformers.GPT2LMHeadModel(
        transformers.GPT2Config(vocab_size=50, n_embd=16, n_layer=2, n_head=2)
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_quick_model_answers_the_same_with_the_same_weights(name):
    torch.manual_seed(0)
    model = MODELS[name]().eval()
    pieces = torch.randint(5, 50, (4, 7))
    with torch.inference_mode():
        own = model(input_ids=pieces).logits
        quicker = quick(model)(input_ids=pieces).logits
    torch.testing.assert_close(quicker, own, atol=1e-5, rtol=1e-5)
    weights = {id(weight) for weight in model.parameters()}
    assert {id(weight) for weight in quick(model).parameters()} <= weights
    assert any(type(module) is torch.nn.Linear for module in model.modules()) or name == "GPT-2"


@pytest.mark.parametrize("batch_size", [1, 3, 100])
def test_each_text_is_read_once_unpadded_and_put_in_its_place(batch_size):
    texts = [[3], [1, 2], [5, 5, 5], [4], [], [7] * 3000, [2, 1]]
    shapes = []

    def read(inputs):
        shapes.append(tuple(inputs["input_ids"].shape))
        return inputs["input_ids"].sum(dim=1, keepdim=True)

    figures = read_batches({"input_ids": texts}, read, width=1, batch_size=batch_size)
    np.testing.assert_array_equal(figures[:, 0], [sum(text) for text in texts])
    assert sum(rows for rows, _ in shapes) == len(texts)
    assert sum(rows * length for rows, length in shapes) == sum(map(len, texts))
    assert max(rows for rows, _ in shapes) <= batch_size


def test_the_limit_is_the_least_of_models_tokenizers_and_ours():
    class Tokenizer:
        model_max_length = 40

    def model(places):
        return transformers.BertForMaskedLM(
            transformers.BertConfig(**SMALL, max_position_embeddings=places)
        )

    assert longest(model(24), Tokenizer()) == 24
    assert longest(model(64), Tokenizer()) == 40
    assert longest(model(64), Tokenizer(), 16) == 16
