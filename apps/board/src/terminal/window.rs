//! Draws the dialogues.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use super::dialog::{Choice, Dialog, List};
use super::form::Field;
use super::paint::{Painter, Target, Targets, write};
use super::words::Words;

/// Draws a dialogue in the middle of an area.
pub(super) fn draw(
    buffer: &mut Buffer,
    area: Rect,
    dialog: &Dialog,
    painter: Painter,
    words: &Words,
    targets: &mut Targets,
) {
    // The dialogue blocks clicks on the board.
    targets.clear();
    match dialog {
        Dialog::List(list) => draw_list(buffer, area, list, painter, words, targets),
        Dialog::Form(form) => {
            let inner = frame(buffer, area, (50, Field::ALL.len() as u16), words.new_game, words.form_help);
            for (n, field) in Field::ALL.into_iter().enumerate() {
                let (name, value) = form.text(field, words);
                let is_chosen = n == form.line;
                let style = if is_chosen { painter.chosen() } else { Style::new() };
                let own = line(inner, n as u16);
                buffer.set_style(own, style);
                write(buffer, own, (2, 0), name, style);
                if field != Field::Begin {
                    let text = if is_chosen { format!("◀ {value} ▶") } else { format!("  {value}") };
                    write(buffer, own, (18, 0), &text, style);
                }
                targets.add(own, Target::Line(n));
            }
        }
        Dialog::Prompt(prompt) => {
            let inner =
                frame(buffer, area, (area.width.saturating_sub(8).min(100), 1), prompt.title, words.prompt_help);
            // A long text shows its end.
            let room = usize::from(inner.width.saturating_sub(1));
            let skipped = prompt.text.chars().count().saturating_sub(room);
            let shown: String = prompt.text.chars().skip(skipped).collect();
            let end = write(buffer, inner, (0, 0), &shown, Style::new());
            write(buffer, inner, (end, 0), " ", painter.chosen());
        }
    }
}

fn draw_list(buffer: &mut Buffer, area: Rect, list: &List, painter: Painter, words: &Words, targets: &mut Targets) {
    let width = list.items.iter().map(|(text, ..)| text.chars().count()).max().unwrap_or(0);
    let width = (width.max(words.list_help.chars().count()) as u16 + 10).min(area.width.saturating_sub(4));
    let inner = frame(buffer, area, (width, list.items.len().max(1) as u16), list.title, words.list_help);
    let room = usize::from(inner.height).max(1);
    let first = (list.selected + 1).saturating_sub(room);
    for (n, (text, key, choice)) in list.items.iter().enumerate().skip(first).take(room) {
        let own = line(inner, (n - first) as u16);
        if *choice == Choice::Heading {
            write(buffer, own, (0, 0), text, painter.faint());
            continue;
        }
        let style = if n == list.selected { painter.chosen() } else { Style::new() };
        buffer.set_style(own, style);
        write(buffer, own, (1, 0), text, style);
        let start = own.width.saturating_sub(key.chars().count() as u16 + 1);
        write(buffer, own, (start, 0), key, style.patch(painter.strong()));
        targets.add(own, Target::Line(n));
    }
    // Arrows on the frame show that the list continues.
    let border = Rect { x: inner.right() + 1, width: 1, ..inner }.intersection(area);
    if first > 0 {
        write(buffer, border, (0, 0), "▲", Style::new());
    }
    if first + room < list.items.len() {
        write(buffer, border, (0, border.height.saturating_sub(1)), "▼", Style::new());
    }
    if list.items.is_empty() {
        write(buffer, inner, (1, 0), words.no_games, painter.faint());
    }
}

fn line(area: Rect, row: u16) -> Rect {
    Rect { y: area.y + row, height: 1, ..area }.intersection(area)
}

/// Draws a frame around the given columns and rows. Returns its inside.
fn frame(buffer: &mut Buffer, area: Rect, (columns, rows): (u16, u16), title: &str, help: &str) -> Rect {
    let (width, height) = ((columns + 4).min(area.width), (rows + 2).min(area.height));
    let own = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    Clear.render(own, buffer);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .title_top(format!(" {title} "))
        .title_bottom(format!(" {help} "));
    let inner = block.inner(own);
    block.render(own, buffer);
    Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner }
}
