"""The parser's training data: trees of Universal Dependencies in spaCy's English scheme."""

import argparse
import importlib
import itertools
import random
import sys
from pathlib import Path

import pytest

TRAINING = Path(__file__).resolve().parents[1] / "data" / "models" / "parser"


@pytest.fixture(scope="module")
def modules():
    """The training script's modules, which import each other by their bare names."""
    names = [path.stem for path in TRAINING.glob("*.py")]
    # Other training scripts have modules of the same names.
    others = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    sys.path.insert(0, str(TRAINING))
    try:
        yield {name: importlib.import_module(name) for name in names}
    finally:
        sys.path.remove(str(TRAINING))
        for name in names:
            sys.modules.pop(name, None)
        sys.modules.update(others)


def conllu_text(tree: str) -> str:
    """Write a tree given as lines "form UPOS XPOS head relation", heads counted from one."""
    lines = [line.split() for line in tree.strip().splitlines()]
    return (
        "".join(
            f"{number}\t{form}\t{form.lower()}\t{pos}\t{tag}\t_\t{head}\t{relation}\t_\t_\n"
            for number, (form, pos, tag, head, relation) in enumerate(lines, start=1)
        )
        + "\n"
    )


def arcs(sentence) -> list[str]:
    """List every word as "word label head"."""
    return [
        f"{word.text} {word.label} {sentence[word.head].text if word.head >= 0 else '-'}"
        for word in sentence
    ]


CASES = {
    "a preposition takes its noun's place": (
        """
        Cats NOUN NNS 2 nsubj
        sleep VERB VBP 0 root
        on ADP IN 5 case
        the DET DT 5 det
        bed NOUN NN 2 obl
        """,
        ["Cats nsubj sleep", "sleep ROOT -", "on prep sleep", "the det bed", "bed pobj on"],
    ),
    "prepositions in a row form a chain": (
        """
        Birds NOUN NNS 2 nsubj
        fly VERB VBP 0 root
        out ADP IN 5 case
        of ADP IN 5 case
        it PRON PRP 2 obl
        """,
        ["Birds nsubj fly", "fly ROOT -", "out prep fly", "of prep out", "it pobj of"],
    ),
    "a copula becomes the head of an adjective": (
        """
        The DET DT 2 det
        sky NOUN NN 5 nsubj
        is AUX VBZ 5 cop
        very ADV RB 5 advmod
        blue ADJ JJ 0 root
        . PUNCT . 5 punct
        """,
        [
            "The det sky",
            "sky nsubj is",
            "is ROOT -",
            "very advmod blue",
            "blue acomp is",
            ". punct is",
        ],
    ),
    "a copula before a noun gives an attribute, before a preposition a prepositional phrase": (
        """
        This PRON DT 4 nsubj
        is AUX VBZ 4 cop
        a DET DT 4 det
        dog NOUN NN 0 root
        that PRON WDT 8 nsubj
        is AUX VBZ 8 cop
        on ADP IN 8 case
        grass NOUN NN 4 acl:relcl
        """,
        [
            "This nsubj is",
            "is ROOT -",
            "a det dog",
            "dog attr is",
            "that nsubj is",
            "is relcl dog",
            "on prep is",
            "grass pobj on",
        ],
    ),
    "what there is is an attribute": (
        """
        There PRON EX 2 expl
        are VERB VBP 0 root
        two NUM CD 4 nummod
        dogs NOUN NNS 2 nsubj
        """,
        ["There expl are", "are ROOT -", "two nummod dogs", "dogs attr are"],
    ),
    "passives and agents": (
        """
        Food NOUN NN 3 nsubj:pass
        is AUX VBZ 3 aux:pass
        eaten VERB VBN 0 root
        by ADP IN 5 case
        dogs NOUN NNS 3 obl:agent
        """,
        [
            "Food nsubjpass eaten",
            "is auxpass eaten",
            "eaten ROOT -",
            "by agent eaten",
            "dogs pobj by",
        ],
    ),
    "conjuncts form a chain, with conjunction and comma before them": (
        """
        Cats NOUN NNS 0 root
        , PUNCT , 3 punct
        dogs NOUN NNS 1 conj
        and CCONJ CC 5 cc
        birds NOUN NNS 1 conj
        """,
        ["Cats ROOT -", ", punct Cats", "dogs conj Cats", "and cc dogs", "birds conj dogs"],
    ),
    "coordinated prepositional phrases": (
        """
        Cats NOUN NNS 0 root
        on ADP IN 3 case
        beds NOUN NNS 1 nmod
        and CCONJ CC 6 cc
        under ADP IN 6 case
        tables NOUN NNS 3 conj
        """,
        [
            "Cats ROOT -",
            "on prep Cats",
            "beds pobj on",
            "and cc on",
            "under conj on",
            "tables pobj under",
        ],
    ),
    "objects, particles, infinitives and negation": (
        """
        They PRON PRP 4 nsubj
        do AUX VBP 4 aux
        not PART RB 4 advmod
        want VERB VB 0 root
        to PART TO 6 mark
        pick VERB VB 4 xcomp
        up ADP RP 6 compound:prt
        toys NOUN NNS 6 obj
        """,
        [
            "They nsubj want",
            "do aux want",
            "not neg want",
            "want ROOT -",
            "to aux pick",
            "pick xcomp want",
            "up prt pick",
            "toys dobj pick",
        ],
    ),
    "prepositions of gerunds": (
        """
        He PRON PRP 2 nsubj
        wins VERB VBZ 0 root
        by SCONJ IN 4 mark
        running VERB VBG 2 advcl
        """,
        ["He nsubj wins", "wins ROOT -", "by prep wins", "running pcomp by"],
    ),
    "the last part of a name is its head, possessors keep theirs": (
        """
        Mary PROPN NNP 4 nmod:poss
        Ann PROPN NNP 1 flat
        's PART POS 1 case
        dog NOUN NN 0 root
        """,
        ["Mary compound Ann", "Ann poss dog", "'s case Ann", "dog ROOT -"],
    ),
    "two objects": (
        """
        She PRON PRP 2 nsubj
        gives VERB VBZ 0 root
        him PRON PRP 2 iobj
        food NOUN NN 2 obj
        """,
        ["She nsubj gives", "gives ROOT -", "him dative gives", "food dobj gives"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_converts_labels_and_heads(name, modules, tmp_path):
    tree, expected = CASES[name]
    path = tmp_path / "tree.conllu"
    path.write_text(conllu_text(tree), encoding="utf-8")
    (sentence,) = modules["conllu"].read_conllu(path)
    before = arcs(sentence)
    assert arcs(modules["convert_ud"].convert(sentence)) == expected
    assert arcs(sentence) == before


def test_reads_contractions_as_words_without_space(modules, tmp_path):
    path = tmp_path / "tree.conllu"
    path.write_text(
        "# text = Don't go\n1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "1\tDo\tdo\tAUX\tVBP\t_\t3\taux\t_\t_\n2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\t_\n"
        "3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No\n",
        encoding="utf-8",
    )
    (sentence,) = modules["conllu"].read_conllu(path)
    assert [(word.text, word.space) for word in sentence] == [
        ("Do", False),
        ("n't", True),
        ("go", False),
    ]


def test_treebank_stays_a_forest_of_trees(modules, shared_data):
    path = shared_data / "ud_ewt" / "en_ewt-ud-dev.conllu"
    for sentence in modules["conllu"].read_conllu(path):
        converted = modules["convert_ud"].convert(sentence)
        roots = [index for index, word in enumerate(converted) if word.head < 0]
        assert len(roots) == 1
        assert modules["conllu"].descendants(converted, roots[0]) == set(range(len(converted)))


def caption(modules, tree: str):
    """Build a tree in spaCy's scheme from lines "form tag label head", heads counted from one."""
    word = modules["conllu"].Word
    pos = {"NN": "NOUN", "NNS": "NOUN", "VBG": "VERB", "VBZ": "AUX", "VBP": "AUX"}
    return [
        word(form, "", pos.get(tag, "X"), tag, "", int(head) - 1, label)
        for form, tag, label, head in (line.split() for line in tree.strip().splitlines())
    ]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            """
            A DT det 2
            cat NN ROOT 0
            sitting VBG acl 2
            on IN prep 3
            beds NNS pobj 4
            """,
            ["A det cat", "cat nsubj sits", "sits ROOT -", "on prep sits", "beds pobj on"],
        ),
        (
            """
            Cats NNS nsubj 3
            are VBP aux 3
            sitting VBG ROOT 0
            """,
            ["Cats nsubj sit", "sit ROOT -"],
        ),
    ],
)
def test_makes_finite_verbs_of_participles(tree, expected, modules):
    (version,) = modules["caption_trees"].finite_versions(caption(modules, tree))
    assert arcs(version) == expected


def test_takes_a_bare_participle_for_a_modifier(modules):
    tree = "A DT det 2\ncat NN nsubj 3\nsitting VBG ROOT 0\nthere RB advmod 3"
    phrase = modules["caption_trees"].as_phrase(caption(modules, tree))
    assert arcs(phrase) == ["A det cat", "cat ROOT -", "sitting acl cat", "there advmod sitting"]


def test_takes_particles_of_motion_for_prepositions(modules):
    tree = "He PRP nsubj 2\nwalks VBZ ROOT 0\ndown RP prt 2\na DT det 5\nhill NN dobj 2"
    assert arcs(modules["caption_trees"].along_paths(caption(modules, tree)))[2:] == [
        "down prep walks",
        "a det hill",
        "hill pobj down",
    ]


def test_substitution_keeps_the_tree(modules):
    tree = "A DT det 2\ncat NN ROOT 0\nsitting VBG acl 2\nthere RB advmod 3"
    sentence = caption(modules, tree)
    words = modules["substitution"].CaptionWords(("elephant",), ("zebras",), ("eat",), ("run",))
    versions = [
        modules["substitution"].substituted(sentence, words, random.Random(seed))
        for seed in range(20)
    ]
    assert {" ".join(word.text for word in version) for version in versions} == {
        "A cat sitting there",
        "A cat running there",
        "An elephant sitting there",
        "An elephant running there",
    }
    assert all(
        [(w.head, w.label) for w in version] == [(w.head, w.label) for w in sentence]
        for version in versions
    )


@pytest.mark.parametrize(
    ("form", "part_of_speech", "lemma"),
    [
        ("sits", "verb", "sit"),
        ("churches", "noun", "church"),
        ("grass", "noun", "grass"),
        ("looking", "verb", "look"),
        ("carries", "verb", "carry"),
    ],
)
def test_suffix_rules_give_lemmas(form, part_of_speech, lemma, modules):
    assert modules["lemmas"].by_rules(form, part_of_speech) == lemma


def test_a_resumed_run_ends_with_the_same_weights(modules, shared_data, tmp_path):
    training = modules["train"]
    options = argparse.Namespace(
        seed=3,
        steps=4,
        start=None,
        learning_rate=0.001,
        words_per_batch=150,
        caption_share=0.0,
        dropout=0.1,
        save_every=2,
    )
    path = shared_data / "ud_ewt" / "en_ewt-ud-dev.conllu"
    sentences = list(itertools.islice(modules["conllu"].read_conllu(path), 40))
    treebank = [modules["convert_ud"].convert(sentence) for sentence in sentences]

    def run(folder: Path, steps: int) -> list[bytes]:
        options.work = folder
        folder.mkdir(exist_ok=True)
        nlp, optimizer = training._prepare(treebank, options)
        batches = training._from_step
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(
                training,
                "_from_step",
                lambda *arguments: itertools.islice(
                    batches(*arguments), max(0, steps - arguments[3])
                ),
            )
            training.train(nlp, optimizer, treebank, [], treebank[:2], options)
        return [pipe.model.to_bytes() for _, pipe in nlp.pipeline]

    whole = run(tmp_path / "whole", 4)
    run(tmp_path / "killed", 3)
    assert run(tmp_path / "killed", 4) == whole
