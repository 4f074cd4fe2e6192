"""What tells captions from foils without looking at the image."""

from pipeline.auditing.blind import BlindCheck, Telling, blind_check
from pipeline.auditing.report import require_writable, write_audit

__all__ = ["BlindCheck", "Telling", "blind_check", "require_writable", "write_audit"]
