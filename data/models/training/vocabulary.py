"""The word pieces that all language checkpoints share."""

from collections.abc import Iterable

from tokenizers import BertWordPieceTokenizer
from transformers import BertTokenizerFast

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def learn_tokenizer(texts: Iterable[str], size: int) -> BertTokenizerFast:
    """An uncased WordPiece tokenizer of `size` pieces."""
    trainer = BertWordPieceTokenizer(lowercase=True)
    trainer.train_from_iterator(
        texts, vocab_size=size, special_tokens=list(SPECIAL), show_progress=False
    )
    return BertTokenizerFast(
        tokenizer_object=trainer._tokenizer, do_lower_case=True, model_max_length=128
    )
