"""The command line and the Prefect flows: order, retries and artifacts, no logic."""
