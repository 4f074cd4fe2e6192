"""What a masked language model would put in the place of a span of a caption."""

from pipeline.proposing.spans import Manner, Proposal, propose

__all__ = ["Manner", "Proposal", "propose"]
