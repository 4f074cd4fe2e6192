"""Checkpoints are opened whole or not at all, and nothing is looked up outside for local ones."""

import shutil
import socket
from pathlib import Path

import pytest
import torch
from huggingface_hub import constants
from safetensors.torch import load_file, save_file

from pipeline import DATA, models
from pipeline.checkpoints import checkpoint_fingerprint
from pipeline.converting import convert_weights
from pipeline.errors import InputError
from pipeline.models import load, load_from, read_profile
from tests.tiny_clip import save_tiny_clip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return save_tiny_clip(tmp_path_factory.mktemp("checkpoint") / "tiny")


@pytest.fixture
def copy(whole, tmp_path):
    """A copy of a whole checkpoint, to be damaged."""
    return shutil.copytree(whole, tmp_path / "copy")


@pytest.fixture
def no_network(monkeypatch):
    """Any connection fails the test at once; the hub's cache is what it is."""

    def refuse(*arguments, **options):
        raise AssertionError("something tried to reach outside")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def _rewrite_weights(folder, change):
    path = folder / "model.safetensors"
    weights = load_file(path)
    change(weights)
    save_file(weights, path, metadata={"format": "pt"})


def test_a_whole_checkpoint_opens_once_without_reaching_outside(whole, no_network):
    opened = load_from("clip", str(whole))
    assert opened.checkpoint.name == "tiny"
    assert opened.checkpoint.fingerprint == checkpoint_fingerprint(whole)
    assert not opened.model.training
    assert {weight.dtype for weight in opened.model.parameters()} == {torch.float32}
    assert load_from("clip", str(whole)) is opened


def test_opening_leaves_the_logging_of_transformers_alone(whole):
    from transformers.utils import logging

    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    models._open.cache_clear()
    load_from("clip", str(whole))
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


def test_a_missing_weight_is_refused_by_name(copy):
    _rewrite_weights(copy, lambda weights: weights.pop("visual_projection.weight"))
    with pytest.raises(InputError, match=r"lacks visual_projection\.weight\. Give a checkpoint"):
        load_from("clip", str(copy))


def test_many_missing_weights_make_one_line(copy):
    def drop_text_tower(weights):
        for name in [name for name in weights if name.startswith("text_model.")]:
            del weights[name]

    _rewrite_weights(copy, drop_text_tower)
    with pytest.raises(InputError, match=r"lacks text_model\..* and \d+ more") as caught:
        load_from("clip", str(copy))
    assert "\n" not in str(caught.value)


def test_a_weight_of_another_shape_is_refused_by_name(copy):
    def widen(weights):
        weights["text_projection.weight"] = torch.zeros(9, 16)

    _rewrite_weights(copy, widen)
    with pytest.raises(InputError, match=r"wrong shape for text_projection\.weight"):
        load_from("clip", str(copy))


def test_half_precision_weights_are_opened_in_full_precision(copy):
    def halve(weights):
        for name in weights:
            weights[name] = weights[name].half()

    _rewrite_weights(copy, halve)
    assert load_from("clip", str(copy)).model.logit_scale.dtype == torch.float32


def _pickle(folder):
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()


def test_pickled_weights_are_refused_until_they_are_converted(copy, whole, tmp_path):
    _pickle(copy)
    with pytest.raises(InputError, match=r"no weights as safetensors.*foils convert"):
        load_from("clip", str(copy))
    convert_weights(str(copy), tmp_path / "converted")
    converted = load_from("clip", str(tmp_path / "converted")).model.state_dict()
    for name, weight in load_from("clip", str(whole)).model.state_dict().items():
        assert torch.equal(weight, converted[name]), name


def test_a_pickle_that_would_run_code_is_refused_and_runs_none(copy, tmp_path):
    class Malicious:
        def __reduce__(self):
            return Path.touch, (tmp_path / "was_here",)

    torch.save({"weight": Malicious()}, copy / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"pytorch_model\.bin: cannot be read"):
        convert_weights(str(copy), tmp_path / "converted")
    assert not (tmp_path / "was_here").exists()
    assert not (tmp_path / "converted").exists()


def test_a_folder_that_is_there_is_not_converted_into(copy):
    _pickle(copy)
    with pytest.raises(InputError, match="is there already"):
        convert_weights(str(copy), copy)


def _truncate(path):
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda f: (f / "model.safetensors").unlink(), "has no weights"),
        (lambda f: _truncate(f / "model.safetensors"), "weights cannot be read"),
        (lambda f: (f / "config.json").unlink(), r"has no config\.json"),
        (lambda f: _truncate(f / "config.json"), "not JSON that names its architecture"),
        (lambda f: (f / "config.json").write_text("{}"), "names its architecture"),
        (
            lambda f: (f / "config.json").write_text('{"architectures": ["ClipNet"]}'),
            "no architecture named 'ClipNet'",
        ),
        (lambda f: (f / "preprocessor_config.json").unlink(), "image processor cannot be read"),
        (lambda f: _truncate(f / "tokenizer.json"), "tokenizer cannot be read"),
        (
            lambda f: [p.unlink() for n in ("tokenizer.json", "vocab.json") for p in f.glob(n)],
            "has no tokenizer",
        ),
        (lambda f: [path.unlink() for path in f.iterdir()], "no checkpoint in this folder"),
    ],
)
def test_a_damaged_checkpoint_gives_one_line_that_says_where(copy, damage, message):
    damage(copy)
    with pytest.raises(InputError, match=message) as caught:
        load_from("clip", str(copy))
    assert str(copy) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_fingerprint_is_of_weights_configuration_and_tokenizer_only(copy):
    before = checkpoint_fingerprint(copy)
    (copy / "README.md").write_text("A model card.")
    assert checkpoint_fingerprint(copy) == before
    for name in ("config.json", "tokenizer.json", "model.safetensors", "preprocessor_config.json"):
        changed = (copy / name).read_bytes() + b" "
        (copy / name).write_bytes(changed)
        assert checkpoint_fingerprint(copy) != before
        before = checkpoint_fingerprint(copy)


def test_every_profile_is_valid_and_embedded_ones_stay_on_this_machine():
    for path in (DATA / "profiles").glob("*.toml"):
        assert set(read_profile(path.stem).checkpoints) <= set(models.ROLES)
    assert all(place.path for place in read_profile("embedded").checkpoints.values())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[checkpoints", "not TOML"),
        ("[checkpoints]\nclop = { path = 'x' }", "no role named 'clop'. Did you mean clip"),
        ("[checkpoints]\nclip = { }", "either a path, a hub name or a package"),
        (
            "[checkpoints]\nclip = { path = 'x', hub = 'y' }",
            "either a path, a hub name or a package",
        ),
        ("[checkpoints]\nclip = { file = 'x' }", r"checkpoints\.clip\.file"),
    ],
)
def test_a_wrong_profile_says_what_is_wrong(tmp_path, monkeypatch, text, message):
    (tmp_path / "mine.toml").write_text(text)
    monkeypatch.setattr(models, "PROFILES", tmp_path)
    with pytest.raises(InputError, match=message) as caught:
        read_profile("mine")
    assert "mine.toml" in str(caught.value)


def test_unknown_roles_and_profiles_are_answered_with_their_neighbours(tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"no role named 'clap'\. Did you mean clip"):
        load("clap")
    with pytest.raises(InputError, match=r"no role named 'clap'"):
        load_from("clap", "nobody/nothing")
    with pytest.raises(InputError, match=r"no profile named 'embeded'\. Did you mean embedded"):
        load("clip", "embeded")
    (tmp_path / "empty.toml").write_text("[checkpoints]\n")
    monkeypatch.setattr(models, "PROFILES", tmp_path)
    with pytest.raises(InputError, match="'empty' names no checkpoint for the role 'clip'"):
        load("clip", "empty")


def test_an_embedded_checkpoint_that_is_gone_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(models, "DATA", tmp_path)
    models._open.cache_clear()
    with pytest.raises(InputError, match="no checkpoint folder here"):
        load("clip", "embedded")


def test_offline_a_hub_name_that_is_not_cached_fails_without_a_connection(no_network, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match=r"not in the local cache.*give the path of its folder"):
        load_from("clip", "nobody/no-such-checkpoint")


def test_an_unreachable_hub_is_one_line(monkeypatch):
    def fail(*arguments, **options):
        raise OSError("no route to host\nand a long explanation")

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.HfApi.model_info", fail)
    with pytest.raises(InputError, match=r"cannot be reached .*\(no route to host\)") as caught:
        load_from("clip", "nobody/no-such-checkpoint")
    assert "\n" not in str(caught.value)


def test_what_can_be_no_hub_name_is_said_to_be_none():
    with pytest.raises(InputError, match="neither a folder nor a name on the hub"):
        load_from("clip", "no such folder/x")
