"""Random checkpoints of a few thousand weights, in the papers' architectures and tokenizers.

Each function saves one as the hub has it and returns its folder.
"""

import json
from pathlib import Path

SENTENCES = [
    "A man sits on a bench.",
    "Two dogs are running under the bench.",
    "The woman stands in front of a red ball.",
    "There are exactly three cats on the beds.",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
_BERT = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 1}
_BERT |= {"intermediate_size": 96, "max_position_embeddings": 64}


def cased_vocabulary() -> list[str]:
    """Word pieces of the sentences, both "A" and "a" among them."""
    words = " ".join(SENTENCES).replace(".", " .").split()
    return [*SPECIAL, *dict.fromkeys(["a", "bed", "##s", *words])]


def save_bert(folder: Path, head: str, **config) -> Path:
    """A BERT with cased word pieces: `head` "ForMaskedLM", "ForSequenceClassification" ..."""
    import transformers

    vocabulary = cased_vocabulary()
    settings = transformers.BertConfig(vocab_size=len(vocabulary), **_BERT | config)
    _save(getattr(transformers, f"Bert{head}"), settings, folder)
    (folder / "vocab.txt").write_text("\n".join(vocabulary) + "\n", encoding="utf-8")
    described = {"do_lower_case": False, "tokenizer_class": "BertTokenizer"}
    (folder / "tokenizer_config.json").write_text(json.dumps(described), encoding="utf-8")
    return folder


def save_albert(folder: Path, labels: list[str]) -> Path:
    """An ALBERT classifier with SentencePiece's unigram pieces, as for entailment."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers
    from transformers import AlbertConfig, AlbertForSequenceClassification, AlbertTokenizer

    pieces = Tokenizer(models.Unigram())
    pieces.normalizer = normalizers.Lowercase()
    pieces.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<pad>", "<unk>", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.UnigramTrainer(
        vocab_size=60, special_tokens=special, unk_token="<unk>", show_progress=False
    )
    pieces.train_from_iterator(SENTENCES, trainer)
    vocabulary = [tuple(entry) for entry in json.loads(pieces.to_str())["model"]["vocab"]]
    config = AlbertConfig(
        vocab_size=len(vocabulary),
        embedding_size=16,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        id2label=dict(enumerate(labels)),
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
    )
    _save(AlbertForSequenceClassification, config, folder)
    AlbertTokenizer(vocab=vocabulary).save_pretrained(folder)
    return folder


def save_gpt2(folder: Path) -> Path:
    """A GPT-2 with byte-level pairs, which puts the end of a text before its beginning."""
    from tokenizers import ByteLevelBPETokenizer
    from transformers import GPT2Config, GPT2LMHeadModel, GPT2Tokenizer

    pieces = ByteLevelBPETokenizer()
    pieces.train_from_iterator(
        SENTENCES, vocab_size=300, special_tokens=["<|endoftext|>"], show_progress=False
    )
    folder.mkdir(parents=True)
    pieces.save_model(str(folder))
    GPT2Tokenizer.from_pretrained(folder).save_pretrained(folder)
    size = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64}
    config = GPT2Config(vocab_size=pieces.get_vocab_size(), bos_token_id=0, eos_token_id=0, **size)
    _save(GPT2LMHeadModel, config, folder)
    return folder


def save_gpt1(folder: Path) -> Path:
    """A GPT-1, whose pairs are of lower-case letters and whose texts have no beginning."""
    from tokenizers import CharBPETokenizer
    from transformers import OpenAIGPTConfig, OpenAIGPTLMHeadModel, OpenAIGPTTokenizer

    pieces = CharBPETokenizer(lowercase=True)
    pieces.train_from_iterator(
        SENTENCES, vocab_size=150, min_frequency=1, special_tokens=["<unk>"], show_progress=False
    )
    folder.mkdir(parents=True)
    pieces.save_model(str(folder))
    OpenAIGPTTokenizer.from_pretrained(folder).save_pretrained(folder)
    size = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64}
    _save(OpenAIGPTLMHeadModel, OpenAIGPTConfig(vocab_size=pieces.get_vocab_size(), **size), folder)
    return folder


def _save(model_class, config, folder: Path) -> None:
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(0)
        model_class(config).save_pretrained(folder)
