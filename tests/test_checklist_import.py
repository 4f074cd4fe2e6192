import pytest

from pipeline.checklist_import import import_checklist
from pipeline.errors import InputError

pytest.importorskip("checklist", reason="CheckList is an optional extra")


def test_perturb_works():
    perturb = import_checklist("perturb").Perturb
    made = perturb.perturb(["A dog sits on a mat."], lambda text: text.replace("dog", "cat"))
    assert made.data == [["A dog sits on a mat.", "A cat sits on a mat."]]


def test_the_verb_tables_of_pattern_can_be_read():
    import_checklist("perturb")
    from pattern.en import lexeme

    assert "sits" in lexeme("sit")


def test_what_is_not_installed_is_named_with_a_remedy():
    with pytest.raises(InputError, match=r"no package 'checklist\.nowhere'.*make setup"):
        import_checklist("nowhere")
