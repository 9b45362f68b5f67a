import pytest

from helm_desktop.model.series.series_model import SeriesStore
from helm_desktop.model.series.units import unit_of
from helm_sdk.protocol.messages import StreamDef


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("system/memory_used_bytes", "B"),
        ("system/network_received_bytes_per_s", "B/s"),
        ("system/gpu0/utilization_percent", "%"),
        ("system/gpu0/temperature_c", "°C"),
        ("system/gpu0/power_w", "W"),
        ("perf/step_time_s", "s"),
        ("cuda/max_memory_allocated_bytes", "B"),
        ("perf/samples_per_s", ""),
        ("train/loss", ""),
        ("head/query_w", ""),
        ("vitamin_c", ""),
    ],
)
def test_that_a_name_tells_its_unit(name: str, unit: str) -> None:
    assert unit_of(name) == unit


def test_that_what_a_run_declares_comes_before_what_the_name_tells() -> None:
    store = SeriesStore()
    assert store.add_def("rank-0", 1, StreamDef(id=1, name="a_bytes")).unit == "B"
    assert store.add_def("rank-0", 1, StreamDef(id=1, name="a_bytes", unit="pages")).unit == "pages"
    assert store.add_def("rank-1", 1, StreamDef(id=1, name="a_bytes")).unit == "pages"
