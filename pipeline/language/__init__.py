"""Rewriting English: number and agreement, declaratives, word classes."""
