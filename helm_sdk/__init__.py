"""The SDK that runs inside a training process."""
