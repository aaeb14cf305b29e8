//! The posters of the demo's events, and the signs of its partners.

use super::picture::{Colour, Drawing, HEIGHT, Point, Shape, mix};

/// How wide a poster is, in points; a sign is as wide as it is high.
pub(super) const POSTER_WIDTH: i32 = 640;
/// How wide a sign is, in points.
pub(super) const SIGN_WIDTH: i32 = HEIGHT;

fn disc(x: i32, y: i32, radius: i32) -> Shape {
    Shape::Circle([x, y], radius)
}

fn polygon<const N: usize>(corners: [Point; N]) -> Shape {
    Shape::Polygon(corners.to_vec())
}

/// A line from one point to another, so thick across.
fn bar([ax, ay]: Point, [bx, by]: Point, thickness: i32) -> Shape {
    polygon([[ax, ay], [ax + thickness, ay], [bx + thickness, by], [bx, by]])
}

/// Lanterns over a river at dusk, and what the water makes of them.
pub(super) fn lanterns() -> Drawing {
    const WARM: Colour = [255, 196, 110];
    const HOT: Colour = [255, 238, 196];
    let mut drawing = Drawing::new([[20, 22, 66], [226, 122, 92]]);
    drawing = drawing.with_glass(disc(470, 250, 120), [255, 190, 120], 30).with(disc(470, 250, 74), [255, 214, 150]);
    drawing = drawing.with_box([0, 252], [640, 360], [26, 26, 62]);
    for (line, half) in [(266, 66), (282, 52), (300, 70), (320, 38), (340, 54)] {
        drawing = drawing.with_box([470 - half, line], [470 + half, line + 4], [238, 158, 112]);
    }
    for (x, y, size) in [
        (60, 62, 15),
        (132, 118, 20),
        (206, 54, 12),
        (268, 146, 25),
        (318, 78, 16),
        (392, 44, 20),
        (560, 88, 22),
        (604, 30, 11),
        (30, 176, 12),
        (178, 196, 14),
        (498, 30, 9),
        (96, 24, 8),
        (240, 20, 7),
        (612, 168, 13),
    ] {
        drawing = drawing.with_glass(disc(x, y, size * 2), WARM, 22).with(disc(x, y, size), WARM);
        drawing = drawing.with(disc(x, y + size / 5, size / 2), HOT);
        drawing = drawing.with_glass(
            bar([x - size / 3, 264 + (y / 3) % 70], [x - size / 3, 268 + (y / 3) % 70], size),
            WARM,
            60,
        );
    }
    for (x, y, size) in [(150, 262, 62), (316, 290, 86)] {
        drawing = drawing.with(
            polygon([[x - size, y], [x + size, y], [x + size * 2 / 3, y + size / 4], [x - size * 2 / 3, y + size / 4]]),
            [12, 12, 34],
        );
        drawing = drawing.with(bar([x, y - size], [x, y], 3), [12, 12, 34]);
        drawing =
            drawing.with(polygon([[x + 3, y - size], [x + size * 3 / 4, y - 6], [x + 3, y - 6]]), [246, 226, 196]);
    }
    drawing
}

/// The bell of a horn, seen from the front.
pub(super) fn brass() -> Drawing {
    let mut drawing = Drawing::new([[24, 52, 62], [14, 32, 42]]);
    drawing = drawing.with(polygon([[0, 40], [0, 96], [420, 240], [440, 170]]), [190, 136, 52]);
    drawing = drawing.with(polygon([[0, 40], [0, 58], [430, 196], [440, 170]]), [232, 186, 96]);
    let (gold, dark): (Colour, Colour) = ([240, 196, 104], [96, 58, 18]);
    for step in 0..9 {
        let colour = mix(gold, dark, if step % 2 == 0 { step } else { step + 2 }, 11);
        drawing = drawing.with(disc(420 + step * 3, 190 - step * 2, 164 - step * 18), colour);
    }
    drawing = drawing.with(disc(446, 172, 12), [30, 18, 8]);
    for x in [40, 100, 160] {
        drawing = drawing.with_box([x, 170 + x / 3], [x + 30, 310], [214, 164, 74]);
        drawing = drawing.with_box([x, 170 + x / 3], [x + 8, 310], [246, 212, 132]);
        drawing = drawing.with(disc(x + 15, 166 + x / 3, 18), [250, 226, 160]);
    }
    drawing
}

/// The body of a violoncello, and a bow across its strings.
pub(super) fn strings() -> Drawing {
    const WOOD: Colour = [196, 96, 48];
    const DARK: Colour = [70, 20, 22];
    let mut drawing = Drawing::new([[104, 18, 40], [104, 18, 40]]);
    for (x, y, radius, colour) in [
        (320, 74, 134, [140, 56, 34]),
        (320, 330, 176, [140, 56, 34]),
        (320, 74, 122, WOOD),
        (320, 330, 164, WOOD),
        (178, 188, 66, [104, 18, 40]),
        (462, 188, 66, [104, 18, 40]),
    ] {
        drawing = drawing.with(disc(x, y, radius), colour);
    }
    for side in [-1, 1] {
        drawing = drawing.with(bar([320 + side * 74 - 4, 170], [320 + side * 62 - 4, 262], 9), DARK);
        drawing = drawing.with(disc(320 + side * 74, 166, 10), DARK).with(disc(320 + side * 62, 266, 12), DARK);
    }
    drawing = drawing.with(polygon([[292, 0], [348, 0], [340, 120], [300, 120]]), [40, 18, 18]);
    drawing = drawing.with_box([276, 268], [364, 280], [230, 188, 132]);
    for x in [300, 312, 326, 338] {
        drawing = drawing.with(bar([x, 0], [320 + (x - 320) * 2, 360], 2), [250, 232, 200]);
    }
    drawing = drawing.with(polygon([[40, 322], [610, 96], [612, 102], [42, 332]]), [250, 236, 206]);
    drawing.with(polygon([[30, 312], [606, 84], [607, 90], [34, 322]]), [46, 20, 16])
}

/// The pipes of an organ by the light of candles.
pub(super) fn organ() -> Drawing {
    let mut drawing = Drawing::new([[22, 16, 26], [58, 30, 24]]);
    drawing =
        drawing.with_glass(disc(320, 360, 300), [255, 168, 80], 16).with_glass(disc(320, 360, 200), [255, 180, 96], 18);
    for pipe in 0..15 {
        let x = 26 + pipe * 40;
        let rise = 16 * (7 - (pipe - 7_i32).abs());
        let top = 150 - rise;
        let light = mix([142, 92, 40], [240, 196, 116], 7 - (pipe - 7).abs(), 7);
        drawing = drawing.with_box([x, top], [x + 28, 300], light);
        drawing = drawing.with_glass(polygon([[x, top], [x + 8, top], [x + 8, 300], [x, 300]]), [255, 240, 200], 45);
        drawing = drawing.with(polygon([[x, 300], [x + 28, 300], [x + 14, 332]]), light);
        drawing = drawing.with_box([x + 5, 262], [x + 23, 274], [38, 20, 14]);
    }
    drawing = drawing.with_box([0, 330], [640, 360], [26, 14, 12]);
    for (x, height) in [(70, 46), (118, 30), (540, 34), (586, 52)] {
        drawing = drawing.with_glass(disc(x, 318 - height, 40), [255, 196, 104], 30);
        drawing = drawing.with_box([x - 8, 330 - height], [x + 8, 332], [250, 236, 210]);
        drawing = drawing.with(
            polygon([[x, 300 - height], [x + 7, 318 - height], [x, 328 - height], [x - 7, 318 - height]]),
            [255, 214, 120],
        );
    }
    drawing
}

/// A garden whose leaves are of glass.
pub(super) fn garden() -> Drawing {
    let mut drawing = Drawing::new([[226, 240, 226], [140, 196, 176]]);
    drawing = drawing.with(disc(500, 100, 58), [252, 222, 150]);
    let greens: [Colour; 4] = [[30, 110, 96], [72, 156, 120], [16, 78, 84], [132, 190, 110]];
    for (at, (x, y, width, height)) in (0_i32..).zip([
        (60, 360, 90, 250),
        (150, 360, 70, 330),
        (240, 360, 96, 220),
        (330, 360, 74, 296),
        (418, 360, 100, 200),
        (508, 360, 76, 270),
        (590, 360, 90, 230),
        (20, 360, 60, 160),
        (196, 360, 60, 150),
        (372, 360, 60, 140),
        (466, 360, 56, 170),
        (556, 360, 60, 130),
    ]) {
        let colour =
            usize::try_from(at).ok().and_then(|at| greens.get(at % greens.len())).copied().unwrap_or(greens[0]);
        let lean = (at % 3 - 1) * 26;
        let tip = [x + lean, y - height];
        drawing = drawing.with_glass(polygon([tip, [x + width / 2, y - height / 2], [x, y]]), colour, 72);
        drawing = drawing.with_glass(
            polygon([tip, [x, y], [x - width / 2, y - height / 2]]),
            mix(colour, [255; 3], 1, 4),
            72,
        );
    }
    drawing.with_glass(polygon([[0, 330], [640, 300], [640, 360], [0, 360]]), [12, 60, 62], 80)
}

/// Northern lights over an island.
pub(super) fn aurora() -> Drawing {
    let mut drawing = Drawing::new([[8, 16, 44], [28, 74, 96]]);
    for (x, y) in
        [(40, 40), (120, 90), (210, 30), (300, 70), (420, 24), (520, 66), (600, 36), (70, 150), (566, 140), (350, 130)]
    {
        drawing = drawing.with(disc(x, y, 2), [232, 240, 250]);
    }
    for (x, lean, width, percent) in [
        (40, 80, 70, 34),
        (120, 110, 60, 48),
        (210, 90, 84, 40),
        (320, 120, 60, 52),
        (410, 100, 90, 36),
        (520, 110, 54, 44),
    ] {
        let colour = mix([72, 224, 160], [136, 120, 220], x, 640);
        drawing = drawing.with_glass(
            polygon([[x + lean, 0], [x + lean + width, 20], [x + width, 262], [x, 236]]),
            colour,
            percent,
        );
    }
    drawing = drawing.with(polygon([[0, 262], [150, 176], [320, 262]]), [20, 44, 62]);
    drawing = drawing.with(polygon([[190, 262], [390, 150], [610, 262]]), [14, 34, 52]);
    drawing = drawing.with(polygon([[460, 262], [600, 196], [640, 214], [640, 262]]), [20, 44, 62]);
    drawing = drawing.with_box([0, 260], [640, 360], [10, 24, 40]);
    for (x, size) in [(150, 40), (320, 62), (500, 44)] {
        drawing = drawing.with(polygon([[x - size, 300], [x, 300 - size], [x + size, 300]]), [236, 110, 88]);
        drawing = drawing
            .with(polygon([[x - size, 300], [x + size, 300], [x + size, 312], [x - size, 312]]), [252, 214, 150]);
        drawing = drawing.with(polygon([[x - 9, 300], [x, 300 - size / 2], [x + 9, 300]]), [255, 236, 190]);
    }
    drawing
}

/// A moon that was cut out of paper, on its strings.
pub(super) fn paper_moon() -> Drawing {
    const PAPER: Colour = [250, 238, 208];
    let mut drawing = Drawing::new([[52, 66, 120], [130, 120, 170]]);
    for (x, y) in [(84, 120), (170, 226), (520, 96), (574, 238), (420, 290), (250, 60)] {
        drawing = drawing.with(bar([x - 1, 0], [x - 1, y], 2), [196, 196, 222]);
        drawing = drawing.with(polygon([[x, y - 16], [x + 14, y], [x, y + 16], [x - 14, y]]), PAPER);
    }
    drawing = drawing.with(bar([318, 0], [318, 80], 3), [226, 222, 232]);
    drawing = drawing.with(disc(320, 190, 124), PAPER).with(disc(372, 166, 104), [88, 92, 146]);
    for (x, y, size) in [(60, 340, 80), (170, 362, 90), (300, 356, 76), (430, 366, 96), (560, 344, 88), (640, 360, 70)]
    {
        drawing = drawing.with(disc(x, y, size), [222, 214, 232]);
    }
    drawing
}

/// An egg for breakfast that is also the sun.
pub(super) fn breakfast() -> Drawing {
    let mut drawing = Drawing::new([[250, 214, 150], [244, 176, 120]]);
    drawing = drawing.with_box([0, 250], [640, 360], [196, 84, 66]);
    for x in [0, 160, 320, 480] {
        drawing = drawing.with_box([x, 250], [x + 80, 360], [212, 104, 80]);
    }
    drawing = drawing
        .with(disc(320, 210, 140), [255, 252, 244])
        .with(disc(250, 190, 84), [255, 252, 244])
        .with(disc(410, 240, 80), [255, 252, 244]);
    drawing.with(disc(324, 206, 62), [250, 184, 50]).with_glass(disc(304, 186, 20), [255, 236, 170], 80)
}

/// Two who dance on a floor of tiles.
pub(super) fn tango() -> Drawing {
    let mut drawing = Drawing::new([[232, 214, 196], [214, 120, 96]]);
    drawing = drawing.with(disc(320, 170, 150), [196, 50, 52]);
    for (at, x) in (0..9).zip((0..).step_by(80)) {
        let colour: Colour = if at % 2 == 0 { [40, 26, 34] } else { [244, 232, 214] };
        drawing = drawing.with(
            polygon([[x - 60 + (x - 320) / 2, 360], [x + 20 + (x - 320) / 2, 360], [x, 300], [x - 60, 300]]),
            colour,
        );
    }
    drawing = drawing
        .with(disc(282, 78, 24), [40, 26, 34])
        .with(polygon([[258, 104], [308, 104], [322, 210], [250, 210]]), [40, 26, 34]);
    drawing = drawing.with(polygon([[250, 206], [286, 206], [272, 336], [248, 336]]), [40, 26, 34]);
    drawing = drawing.with(polygon([[288, 206], [322, 206], [318, 336], [296, 336]]), [40, 26, 34]);
    drawing = drawing
        .with(disc(358, 88, 22), [250, 226, 200])
        .with(polygon([[342, 110], [376, 110], [368, 190], [338, 190]]), [250, 226, 200]);
    drawing = drawing.with(polygon([[338, 186], [368, 186], [452, 318], [330, 300]]), [250, 226, 200]);
    drawing.with(polygon([[300, 118], [372, 132], [370, 144], [300, 134]]), [40, 26, 34])
}

/// A lighthouse and its beam.
pub(super) fn lighthouse() -> Drawing {
    let mut drawing = Drawing::new([[14, 40, 66], [52, 104, 124]]);
    drawing = drawing.with_glass(polygon([[420, 92], [0, 10], [0, 170]]), [255, 232, 160], 55);
    drawing = drawing.with_glass(polygon([[430, 92], [640, 40], [640, 130]]), [255, 232, 160], 40);
    drawing = drawing.with(polygon([[396, 120], [452, 120], [476, 320], [372, 320]]), [248, 240, 226]);
    for (top, half) in [(150, 32), (218, 40), (286, 48)] {
        drawing = drawing.with(
            polygon([[424 - half, top], [424 + half, top], [424 + half + 4, top + 34], [424 - half - 4, top + 34]]),
            [206, 66, 58],
        );
    }
    drawing = drawing.with_box([402, 76], [446, 112], [255, 226, 140]).with_box([390, 110], [458, 122], [34, 44, 60]);
    drawing = drawing.with(polygon([[394, 78], [454, 78], [424, 46]]), [34, 44, 60]);
    for (x, y, size) in [(60, 400, 120), (240, 420, 140), (420, 410, 130), (600, 404, 120)] {
        drawing = drawing.with(disc(x, y, size), [16, 62, 84]);
    }
    for (x, y, size) in [(-20, 420, 110), (150, 430, 120), (330, 436, 120), (510, 430, 120), (680, 420, 110)] {
        drawing = drawing.with(disc(x, y, size), [10, 44, 64]);
    }
    drawing
}

/// A tram that comes out of its depot at night.
pub(super) fn tram() -> Drawing {
    const BRICK: Colour = [96, 44, 52];
    const CREAM: Colour = [250, 236, 206];
    const RED: Colour = [206, 62, 54];
    let mut drawing = Drawing::new([[40, 26, 54], [84, 42, 62]]);
    drawing = drawing.with(polygon([[40, 110], [320, 10], [600, 110], [600, 300], [40, 300]]), BRICK);
    // The gate, and the light behind it.
    drawing = drawing.with(disc(320, 176, 138), [255, 206, 128]).with_box([182, 176], [458, 300], [255, 206, 128]);
    drawing = drawing.with_glass(disc(320, 176, 104), [255, 240, 200], 60);
    for x in [88, 508] {
        drawing =
            drawing.with(disc(x + 22, 168, 22), [255, 214, 142]).with_box([x, 168], [x + 44, 234], [255, 214, 142]);
        drawing = drawing.with_box([x + 20, 146], [x + 24, 234], BRICK).with_box([x, 190], [x + 44, 194], BRICK);
    }
    drawing = drawing.with_box([0, 300], [640, 360], [44, 30, 46]);
    for x in [236, 396] {
        drawing = drawing.with(
            polygon([[x, 300], [x + 8, 300], [320 + (x - 316) * 2 + 14, 360], [320 + (x - 316) * 2, 360]]),
            [146, 120, 128],
        );
    }
    drawing = drawing.with(bar([318, 46], [318, 96], 4), [34, 20, 34]).with_box([278, 44], [362, 50], [34, 20, 34]);
    // Its front: the roof, the windows, the belt and the lamp.
    drawing = drawing.with(polygon([[244, 104], [262, 90], [378, 90], [396, 104]]), [62, 44, 56]);
    drawing = drawing
        .with_box([232, 104], [408, 206], CREAM)
        .with(polygon([[232, 206], [408, 206], [396, 312], [244, 312]]), RED);
    for (left, right) in [(246, 286), (292, 348), (354, 394)] {
        drawing = drawing.with_box([left, 124], [right, 190], [48, 66, 92]);
        drawing =
            drawing.with_glass(polygon([[left, 190], [left, 160], [right, 124], [right, 146]]), [200, 226, 240], 40);
    }
    drawing = drawing.with_box([286, 106], [354, 120], [48, 34, 48]).with_box([292, 109], [348, 117], [255, 206, 128]);
    drawing = drawing.with_box([234, 204], [406, 212], CREAM);
    drawing = drawing
        .with_glass(disc(320, 248, 44), [255, 236, 170], 45)
        .with(disc(320, 248, 20), CREAM)
        .with(disc(320, 248, 13), [255, 252, 236]);
    drawing.with_box([262, 300], [378, 320], [48, 34, 48])
}

/// A sign of a sun over waves.
pub(super) fn harbour_sign() -> Drawing {
    let mut drawing = Drawing::new([[14, 50, 92], [14, 50, 92]]).with(disc(180, 190, 96), [250, 190, 96]);
    for (at, y) in [(0, 220), (1, 270), (2, 320)] {
        let colour = mix([0, 132, 148], [8, 70, 110], at, 2);
        for x in [-20, 80, 180, 280, 380] {
            drawing = drawing.with(disc(x + at * 50 - 50, y + 46, 62), colour);
        }
        drawing = drawing.with_box([0, y + 44], [360, 360], colour);
    }
    drawing
}

/// A sign of a wheel with teeth.
pub(super) fn clockwork_sign() -> Drawing {
    const BRASS: Colour = [240, 196, 110];
    let mut drawing = Drawing::new([[88, 26, 66], [60, 14, 48]]);
    for [dx, dy] in [[0, 130], [92, 92], [130, 0], [92, -92], [0, -130], [-92, -92], [-130, 0], [-92, 92]] {
        drawing = drawing.with(disc(180 + dx, 180 + dy, 26), BRASS);
    }
    drawing.with(disc(180, 180, 118), BRASS).with(disc(180, 180, 76), [74, 20, 56]).with(disc(180, 180, 34), BRASS)
}

/// A sign of a star over a hill.
pub(super) fn north_sign() -> Drawing {
    let drawing =
        Drawing::new([[14, 30, 60], [30, 96, 104]]).with(polygon([[0, 360], [180, 190], [360, 360]]), [232, 244, 236]);
    let star = [
        polygon([[180, 40], [200, 120], [180, 200], [160, 120]]),
        polygon([[100, 120], [180, 100], [260, 120], [180, 140]]),
    ];
    let [upright, across] = star;
    drawing.with(upright, [120, 236, 176]).with(across, [120, 236, 176])
}

/// A sign of lit windows.
pub(super) fn city_sign() -> Drawing {
    let mut drawing = Drawing::new([[48, 50, 62], [34, 36, 46]]);
    for (at, (x, y)) in (0..).zip([
        (70, 70),
        (150, 70),
        (230, 70),
        (70, 150),
        (150, 150),
        (230, 150),
        (70, 230),
        (150, 230),
        (230, 230),
    ]) {
        let colour: Colour = if [1, 3, 5, 8].contains(&at) { [252, 206, 110] } else { [96, 100, 118] };
        drawing = drawing.with_box([x, y], [x + 60, y + 60], colour);
    }
    drawing
}

/// A sign of a sun that rises.
pub(super) fn weekend_sign() -> Drawing {
    let mut drawing = Drawing::new([[250, 176, 72], [240, 120, 60]]);
    for (x, y) in [(60, 130), (120, 70), (180, 46), (240, 70), (300, 130)] {
        drawing = drawing.with(disc(x, y, 15), [255, 244, 214]);
    }
    drawing.with(disc(180, 240, 104), [255, 244, 214]).with_box([0, 240], [360, 360], [196, 72, 54])
}
