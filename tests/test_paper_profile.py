"""The papers' checkpoints: what they are for, what is missing, and folders in their place."""

import json
import shutil

import pytest
import spacy
import torch
from huggingface_hub import constants
from spacy.language import Language

from pipeline import DATA, models, opening
from pipeline.errors import InputError
from pipeline.labels import acceptable_index, entailment_order
from pipeline.models import find_checkpoint, load, load_from, read_profile
from tests.tiny_language_models import save_albert, save_bert, save_gpt1, save_gpt2

TEXT = "A man sits on a bench."
LABELS = ["contradiction", "neutral", "entailment"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("checkpoints")
    return {
        "mlm": save_bert(root / "bert", "ForMaskedLM"),
        "acceptability": save_bert(root / "cola", "ForSequenceClassification"),
        "nli": save_albert(root / "albert", LABELS),
        "lm": save_gpt2(root / "gpt2"),
        "gpt1": save_gpt1(root / "gpt1"),
    }


@pytest.fixture
def profile(folders, tmp_path):
    """A profile of the user's that names folders, relative to its own, for the papers' roles."""
    roles = {"mlm": "mlm", "span_mlm": "mlm", "grammar_lm": "mlm", "nli": "nli", "lm": "lm"}
    roles["acceptability"] = "acceptability"
    lines = ['extends = "paper"', "[checkpoints]"]
    for role, kind in roles.items():
        if not (tmp_path / kind).exists():
            shutil.copytree(folders[kind], tmp_path / kind)
        lines.append(f'{role} = {{ path = "{kind}" }}')
    path = tmp_path / "mine.toml"
    path.write_text("\n".join(lines))
    return str(path)


def test_the_paper_names_a_checkpoint_for_every_role_and_how_big_it_is():
    checkpoints = read_profile("paper").checkpoints
    assert checkpoints.keys() == models.ROLES.keys()
    assert all(reference.size for reference in checkpoints.values())


def test_every_role_opens_from_a_folder_with_the_papers_architectures(profile):
    opened = {
        role: load(role, profile) for role in ("mlm", "span_mlm", "acceptability", "nli", "lm")
    }
    names = {role: type(text_model.model).__name__ for role, text_model in opened.items()}
    assert names == {
        "mlm": "BertForMaskedLM",
        "span_mlm": "BertForMaskedLM",
        "acceptability": "BertForSequenceClassification",
        "nli": "AlbertForSequenceClassification",
        "lm": "GPT2LMHeadModel",
    }
    for text_model in opened.values():
        with torch.inference_mode():
            logits = text_model.model(**text_model.tokenizer(TEXT, return_tensors="pt")).logits
        assert torch.isfinite(logits).all()
    assert entailment_order(opened["nli"].model.config) == (2, 1, 0)
    assert acceptable_index(opened["acceptability"].model.config) == 1


def test_roles_that_one_checkpoint_fills_share_it(profile):
    assert load("mlm", profile) is load("span_mlm", profile) is load("grammar_lm", profile)


def test_gpt_1_is_a_language_model_too(folders):
    loaded = load_from("lm", str(folders["gpt1"]))
    assert type(loaded.model).__name__ == "OpenAIGPTLMHeadModel"
    assert loaded.tokenizer.tokenize("A man")[0] == "a</w>"


def test_pairs_keep_apart_which_text_a_piece_is_from(folders):
    """ALBERT learnt entailment with segments, and its tokenizer does not give them by default."""
    tokenizer = load_from("nli", str(folders["nli"])).tokenizer
    segments = tokenizer(["A man", "A man sits"], ["dogs", "dogs"], padding=True)["token_type_ids"]
    assert all({0, 1} == set(row) for row in segments)


def test_a_score_is_signed_with_name_and_revision_or_fingerprint(profile):
    checkpoint = find_checkpoint("lm", profile)
    assert checkpoint.label == f"lm@{checkpoint.fingerprint[:8]}"


def test_roles_that_a_profile_leaves_out_come_from_the_one_it_extends(profile):
    checkpoints = read_profile(profile).checkpoints
    assert checkpoints["parser"] == read_profile("paper").checkpoints["parser"]
    assert checkpoints["lm"].path.is_absolute()


def test_a_profile_that_is_not_there_or_extends_nothing_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.toml: there is no such file"):
        read_profile(str(tmp_path / "none.toml"))
    (tmp_path / "mine.toml").write_text('extends = "papers"')
    with pytest.raises(InputError, match=r"no profile named 'papers'\. Did you mean paper"):
        read_profile(str(tmp_path / "mine.toml"))


@pytest.mark.parametrize(
    ("role", "kind", "message"),
    [
        ("mlm", "acceptability", r"masked language model is needed.*\*ForMaskedLM"),
        ("span_mlm", "lm", "masked language model is needed.* GPT2LMHeadModel"),
        ("acceptability", "mlm", r"classifier of acceptability is needed.*\*ForSequenceClass"),
        ("acceptability", "nli", "the two labels must be acceptable and unacceptable"),
        ("nli", "acceptability", "the three labels must be entailment, neutral and contradiction"),
        ("lm", "mlm", r"causal language model is needed.*\*LMHeadModel or \*ForCausalLM"),
    ],
)
def test_a_checkpoint_for_something_else_is_refused(folders, role, kind, message):
    with pytest.raises(InputError, match=message) as caught:
        load_from(role, str(folders[kind]))
    assert str(folders[kind]) in str(caught.value)


def test_a_missing_head_is_refused(tmp_path):
    folder = save_bert(tmp_path / "bare", "Model")
    config = json.loads((folder / "config.json").read_text())
    for architecture, message in (
        ("BertModel", "masked language model is needed"),
        ("BertForMaskedLM", r"lacks cls\.predictions"),
    ):
        (folder / "config.json").write_text(json.dumps({**config, "architectures": [architecture]}))
        models._open.cache_clear()
        with pytest.raises(InputError, match=message):
            load_from("mlm", str(folder))


def test_cased_pieces_under_a_lowering_tokenizer_are_refused(tmp_path):
    folder = save_bert(tmp_path / "bert", "ForMaskedLM")
    (folder / "tokenizer_config.json").unlink()
    with pytest.raises(InputError, match=r'lower case.*"do_lower_case": false'):
        load_from("mlm", str(folder))


def test_a_sentencepiece_vocabulary_says_what_to_install(folders, tmp_path, monkeypatch):
    folder = shutil.copytree(folders["nli"], tmp_path / "albert")
    (folder / "tokenizer.json").unlink()
    (folder / "spiece.model").write_bytes(b"\n")
    monkeypatch.setattr(opening, "_is_installed", lambda package: False)
    with pytest.raises(InputError, match="pip install sentencepiece protobuf"):
        load_from("nli", str(folder))


def _in_cache(root, name, files, commit="607a30d783dfa663caf39e06633721c8d4cfcd7e"):
    """Lay files out as the hub's cache does."""
    place = root / f"models--{name.replace('/', '--')}"
    snapshot = place / "snapshots" / commit
    shutil.copytree(files, snapshot)
    (place / "refs").mkdir()
    (place / "refs/main").write_text(commit)
    return snapshot


@pytest.fixture
def hub_cache(tmp_path, monkeypatch):
    root = tmp_path / "hub"
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(root))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    return root


def test_a_cached_checkpoint_of_the_hub_is_signed_with_its_commit(folders, hub_cache):
    _in_cache(hub_cache, "openai-community/gpt2", folders["lm"])
    loaded = load("lm", "paper")
    assert loaded.checkpoint.label == "openai-community/gpt2@607a30d7"
    assert loaded.checkpoint.revision == "607a30d783dfa663caf39e06633721c8d4cfcd7e"


def test_offline_a_message_says_what_to_download_and_how_big_it_is(hub_cache):
    with pytest.raises(InputError, match=r"\(1\.3 GB\).*hf download google-bert/bert-large-cased"):
        load("mlm", "paper")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """An installed package of spaCy's, in which the embedded pipeline passes for another."""
    package = tmp_path / "site" / "en_tiny_web_md"
    shutil.copytree(DATA / "models/parser/pipeline", package / "en_tiny_web_md-3.8.0")
    meta = package / "en_tiny_web_md-3.8.0/meta.json"
    described = {**json.loads(meta.read_text()), "name": "tiny_web_md", "version": "3.8.0"}
    meta.write_text(json.dumps(described))
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    models._find.cache_clear()
    models._open.cache_clear()
    path = tmp_path / "mine.toml"
    path.write_text(
        '[checkpoints]\nparser = { package = "en_tiny_web_md", size = "40 MB" }\n'
        'coref = { package = "en_tiny_web_md", coreferee = true }\n'
    )
    return str(path)


def test_an_installed_spacy_package_is_a_parser(installed):
    nlp = load("parser", installed)
    assert [token.pos_ for token in nlp("A man sits.")] == ["DET", "NOUN", "VERB", "PUNCT"]
    assert find_checkpoint("parser", installed).label == "en_tiny_web_md@3.8.0"
    assert load_from("parser", "en_tiny_web_md").meta["name"] == "tiny_web_md"


def test_a_pipeline_that_coreferee_does_not_know_is_one_line(installed, capsys):
    with pytest.raises(InputError, match="python -m coreferee install en") as caught:
        load("coref", installed)
    assert "\n" not in str(caught.value)
    assert capsys.readouterr().out == ""


def test_with_coreferee_the_pipeline_gives_its_chains(installed, monkeypatch):
    import coreferee.manager
    from spacy.tokens import Doc

    class StubAnnotator:
        def annotate(self, doc):
            doc._.coref_chains = ["a chain"]

    manager = coreferee.manager.CorefereeManager
    monkeypatch.setattr(manager, "get_annotator", staticmethod(lambda nlp: StubAnnotator()))
    coreferee.manager.CorefereeBroker.set_extensions()
    assert Doc.has_extension("coref_chains")
    nlp = load("coref", installed)
    assert isinstance(nlp, Language)
    assert nlp("A man sits on his bench.")._.coref_chains == ["a chain"]
    plain, added = (find_checkpoint(role, installed) for role in ("parser", "coref"))
    assert added.label == "en_tiny_web_md@3.8.0+coreferee"
    assert added.fingerprint != plain.fingerprint


def test_a_package_that_is_not_installed_says_how_to_get_it_and_how_big_it_is(tmp_path):
    (tmp_path / "mine.toml").write_text(
        '[checkpoints]\nparser = { package = "en_absent_web_md", size = "40 MB" }'
    )
    with pytest.raises(InputError, match=r"spacy download en_absent_web_md.*\(40 MB\)"):
        load("parser", str(tmp_path / "mine.toml"))


def test_a_blank_pipeline_is_no_parser(tmp_path):
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="no tagger and no parser"):
        load_from("parser", str(tmp_path / "blank"))
