//! Text with columns: where a list of bullets begins, and that what follows its last item stands no further right.

/// Text being written.
#[derive(Default)]
pub(super) struct Layout {
    text: String,
    /// How many characters the last line has.
    column: usize,
    /// The column of a list that has just ended. The next text would belong to its last item if it stood right of it.
    ended_list: Option<usize>,
}

impl Layout {
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Where the next text will stand.
    pub(super) fn column(&self) -> usize {
        self.column
    }

    pub(super) fn put(&mut self, text: &str) {
        if let Some(column) = self.ended_list {
            self.new_line(column);
        }
        let text = if self.column == 0 || self.text.ends_with(' ') { text.trim_start() } else { text };
        // Two minus signs in a row are another operator.
        if self.text.ends_with('-') && text.starts_with('-') {
            self.put(" ");
        }
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    pub(super) fn parts<const N: usize>(&mut self, parts: [&str; N]) {
        for part in parts {
            self.put(part);
        }
    }

    /// Goes on in a column of the next line.
    pub(super) fn new_line(&mut self, column: usize) {
        self.ended_list = None;
        self.text.truncate(self.text.trim_end_matches(' ').len());
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', column));
        self.column = column;
    }

    /// Says that a list with its bullets in this column is complete.
    pub(super) fn end_list(&mut self, column: usize) {
        self.ended_list = Some(column);
    }

    /// Whether the next text begins a line because a list has ended.
    pub(super) fn is_behind_list(&self) -> bool {
        self.ended_list.is_some()
    }

    /// Writes all items, with commas between.
    pub(super) fn commas<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (position, item) in items.iter().enumerate() {
            if position > 0 {
                self.put(", ");
            }
            write(self, item);
        }
    }
}
