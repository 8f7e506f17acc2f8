"""Pictures of positions: the program's SVG as pixels."""

from __future__ import annotations

import io

import numpy as np
from numpy.typing import NDArray

from gess_zero.errors import GessStartError

#: Pixels of the longer side of a picture.
SIZE = 480


def pixels_of(svg: str) -> NDArray[np.uint8]:
    """`[rows, columns, 3]`. Raises `GessStartError` `render-missing` without `pip install gess-zero[render]`."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as cause:
        message = "expected the packages of render_mode='rgb_array': pip install 'gess-zero[render]'"
        raise GessStartError("render-missing", message) from cause
    png = resvg_py.svg_to_bytes(svg_string=svg, width=SIZE, background="white")
    with Image.open(io.BytesIO(bytes(png))) as picture:
        return np.array(picture.convert("RGB"))
