"""SpanBERT with its head: the authors' archive becomes a checkpoint with the same predictions."""

import io
import json
import tarfile
from argparse import Namespace

import pytest
import torch
from safetensors.torch import load_file
from typer.testing import CliRunner

from flows.cli import app
from pipeline.converting import convert_weights
from pipeline.errors import InputError
from pipeline.models import load_from
from tests.tiny_language_models import cased_vocabulary, save_bert

SENTENCE = "A man sits on a [MASK]."


@pytest.fixture(scope="module")
def bert(tmp_path_factory):
    """The folder of a small BERT, whose weights are then written as the authors wrote theirs."""
    return save_bert(tmp_path_factory.mktemp("bert") / "bert", "ForMaskedLM", num_attention_heads=1)


@pytest.fixture(scope="module")
def state(bert):
    """The weights as the authors' archive has them: prefix, old names, tied and other heads."""
    weights = load_file(bert / "model.safetensors")
    weights["cls.predictions.decoder.weight"] = weights["bert.embeddings.word_embeddings.weight"]
    weights |= {
        "bert.pooler.dense.weight": torch.ones(64, 64),
        "cls.seq_relationship.weight": torch.ones(2, 64),
        "cls.pair_target_predictions.position_embeddings.weight": torch.ones(20, 200),
        "cls.pair_target_predictions.mlp_layer_norm.layer_norm1.gamma": torch.ones(64),
    }
    return {
        "decoder." + name.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): w
        for name, w in weights.items()
    }


def _archive(path, content, name="spanbert_large_with_head/model.pt"):
    file = io.BytesIO()
    torch.save(content, file)
    with tarfile.open(path, "w:gz") as archive:
        member = tarfile.TarInfo(name)
        member.size = file.tell()
        archive.addfile(member, io.BytesIO(file.getvalue()))
    return str(path)


def _logits(folder):
    loaded = load_from("span_mlm", str(folder))
    with torch.inference_mode():
        return loaded.model(**loaded.tokenizer(SENTENCE, return_tensors="pt")).logits


@pytest.mark.parametrize(
    "wrap", [lambda s: s, lambda s: {"args": Namespace(arch="cased_bert_pair"), "model": s}]
)
def test_the_archive_gives_the_same_predictions(bert, state, wrap, tmp_path):
    archive = _archive(tmp_path / "with_head.tar.gz", wrap(state))
    convert_weights(archive, tmp_path / "spanbert", str(bert))
    assert torch.equal(_logits(tmp_path / "spanbert"), _logits(bert))
    config = json.loads((tmp_path / "spanbert/config.json").read_text())
    assert (config["num_hidden_layers"], config["num_attention_heads"]) == (2, 1)
    assert {path.name for path in tmp_path.iterdir()} == {"with_head.tar.gz", "spanbert"}


def test_the_unpacked_folder_and_the_file_alone_do_too(bert, state, tmp_path):
    (tmp_path / "unpacked").mkdir()
    torch.save(state, tmp_path / "unpacked/model.pt")
    for number, place in enumerate((tmp_path / "unpacked", tmp_path / "unpacked/model.pt")):
        convert_weights(str(place), tmp_path / f"spanbert-{number}", str(bert))
        assert torch.equal(_logits(tmp_path / f"spanbert-{number}"), _logits(bert))


def test_the_command_converts_it(bert, state, tmp_path):
    archive = _archive(tmp_path / "with_head.tar.gz", state)
    options = ["--to", str(tmp_path / "spanbert"), "--vocabulary", str(bert)]
    result = CliRunner().invoke(app, ["convert", archive, *options])
    assert result.exit_code == 0, result.output
    tokenizer = load_from("span_mlm", str(tmp_path / "spanbert")).tokenizer
    assert tokenizer.tokenize("A bench") == ["A", "bench"]
    assert len(tokenizer) == len(cased_vocabulary())


def test_half_precision_weights_are_widened(bert, state, tmp_path):
    halved = {name: tensor.half() for name, tensor in state.items()}
    convert_weights(_archive(tmp_path / "a.tar.gz", halved), tmp_path / "spanbert", str(bert))
    assert {t.dtype for t in load_file(tmp_path / "spanbert/model.safetensors").values()} == {
        torch.float32
    }


@pytest.mark.parametrize("lost", ["cls.predictions.", "cls.predictions.bias"])
def test_an_archive_without_the_head_is_refused_and_names_the_one_with_it(
    bert, state, lost, tmp_path
):
    headless = {name: w for name, w in state.items() if not name.startswith(f"decoder.{lost}")}
    archive = _archive(tmp_path / "a.tar.gz", headless)
    with pytest.raises(InputError, match=r"no masked-LM head.*spanbert_large_with_head\.tar\.gz"):
        convert_weights(archive, tmp_path / "spanbert", str(bert))
    assert not (tmp_path / "spanbert").exists()


def test_a_member_that_would_land_outside_is_refused(state, tmp_path):
    archive = _archive(tmp_path / "a.tar.gz", state, name="../../outside.pt")
    with pytest.raises(InputError, match="cannot be unpacked"):
        convert_weights(archive, tmp_path / "made" / "spanbert")
    assert not list(tmp_path.rglob("outside.pt"))


def test_a_truncated_archive_is_one_line(state, tmp_path):
    path = tmp_path / "a.tar.gz"
    _archive(path, state)
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match="cannot be") as caught:
        convert_weights(str(path), tmp_path / "spanbert")
    assert "\n" not in str(caught.value)


def test_a_vocabulary_of_another_size_is_refused(bert, state, tmp_path):
    (tmp_path / "words").mkdir()
    (tmp_path / "words/vocab.txt").write_text("[PAD]\na\n")
    archive = _archive(tmp_path / "a.tar.gz", state)
    with pytest.raises(InputError, match="has 2 entries, and the weights are for"):
        convert_weights(archive, tmp_path / "spanbert", str(tmp_path / "words"))


@pytest.mark.parametrize("content", [[1, 2], {"model": {"epoch": 3}}, {}])
def test_what_is_not_weights_is_refused(content, tmp_path):
    with pytest.raises(InputError, match="something else than named weights"):
        convert_weights(_archive(tmp_path / "a.tar.gz", content), tmp_path / "spanbert")


@pytest.mark.parametrize("role", ["mlm", "span_mlm", "grammar_lm"])
def test_the_hubs_spanbert_is_refused_with_what_to_do_before_anything_is_downloaded(role):
    with pytest.raises(InputError, match="no masked-LM head") as caught:
        load_from(role, "SpanBERT/spanbert-large-cased")
    for step in ("fairseq/models/spanbert_large_with_head.tar.gz", "1.3 GB", "foils convert"):
        assert step in str(caught.value)


def test_gruens_old_classifier_gets_the_names_that_its_configuration_lacks(tmp_path):
    """Its folder has pickled weights, a configuration of 2019 and a cased vocabulary."""
    folder = save_bert(tmp_path / "old", "ForSequenceClassification")
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    for name in ("model.safetensors", "tokenizer_config.json"):
        (folder / name).unlink()
    torch.save(Namespace(max_seq_length=128), folder / "training_args.bin")
    config = json.loads((folder / "config.json").read_text())
    for key in ("architectures", "model_type", "transformers_version", "dtype"):
        config.pop(key, None)
    (folder / "config.json").write_text(json.dumps({**config, "finetuning_task": "cola"}))
    convert_weights(str(folder), tmp_path / "cola")
    loaded = load_from("acceptability", str(tmp_path / "cola"))
    assert type(loaded.model).__name__ == "BertForSequenceClassification"
    assert loaded.tokenizer.tokenize("A bench") == ["A", "bench"]
