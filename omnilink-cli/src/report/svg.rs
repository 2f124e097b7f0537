//! Histograms as inline SVG. They use the colours of the page, so they follow its light and dark modes.

use super::html::{Html, all, element, plain};
use super::words::number;

/// One bar.
pub struct Bar {
    /// Its short label.
    pub label: String,
    /// Its full label.
    pub range: String,
    /// How many.
    pub count: u64,
    /// Whether it contains the median.
    pub has_median: bool,
}

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 62.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 44.0;
/// The width of a character of a label, and the space between two labels.
const LETTER: f64 = 6.8;
const GAP: f64 = 10.0;

/// A histogram; `axis` labels the numbers.
pub fn histogram(bars: &[Bar], axis: &str) -> Html {
    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    let total: u64 = bars.iter().map(|bar| bar.count).sum();
    let (plot_width, plot_height) = (WIDTH - LEFT - 6.0, HEIGHT - TOP - BOTTOM);
    let slot = plot_width / bars.len().max(1) as f64;
    let longest = bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
    let every = ((longest as f64 * LETTER + GAP) / slot).ceil().max(1.0) as usize;
    let grid = [0, most / 2, most].map(|level| {
        let y = TOP + plot_height * (1.0 - level as f64 / most as f64);
        all([line((LEFT, y), (WIDTH - 6.0, y)), label((LEFT - 6.0, y + 4.0), "end", &number(level))])
    });
    let drawn = bars.iter().enumerate().map(|(at, bar)| {
        let x = LEFT + slot * at as f64;
        let shown = plot_height * bar.count as f64 / most as f64;
        // A bar that is not zero is always visible.
        let height = if bar.count > 0 { shown.max(1.5) } else { 0.0 };
        let share = 100.0 * bar.count as f64 / total.max(1) as f64;
        let told = format!("{}: {} ({share:.1} %)", bar.range, number(bar.count));
        let class = if bar.has_median { "bar median" } else { "bar" };
        let rectangle = element(
            "rect",
            &[
                ("class", class),
                ("x", &coordinate(x + slot * 0.08)),
                ("y", &coordinate(TOP + plot_height - height)),
                ("width", &coordinate(slot * 0.84)),
                ("height", &coordinate(height)),
            ],
            plain("title", told),
        );
        let below = (at % every == 0).then(|| label((x + slot / 2.0, HEIGHT - BOTTOM + 16.0), "middle", &bar.label));
        all([rectangle, below.unwrap_or_default()])
    });
    let caption = label((LEFT + plot_width / 2.0, HEIGHT - 6.0), "middle", axis);
    let view = format!("0 0 {WIDTH} {HEIGHT}");
    let inside: Html = grid.into_iter().chain(drawn).chain([caption]).collect();
    element("svg", &[("viewBox", &view), ("role", "img"), ("aria-label", axis)], inside)
}

fn line((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Html {
    let ends = [x1, y1, x2, y2].map(coordinate);
    element("line", &[("x1", &ends[0]), ("y1", &ends[1]), ("x2", &ends[2]), ("y2", &ends[3])], "")
}

fn label((x, y): (f64, f64), anchor: &str, text: &str) -> Html {
    element("text", &[("x", &coordinate(x)), ("y", &coordinate(y)), ("text-anchor", anchor)], text)
}

fn coordinate(at: f64) -> String {
    format!("{at:.1}")
}
