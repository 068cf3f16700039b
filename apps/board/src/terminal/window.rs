//! Draws the dialogues.

use ratatui::layout::{Constraint, Rect};
use ratatui::style::Style;
use ratatui::widgets::{Block, BorderType, Clear, Padding, Widget};

use super::dialog::{Dialog, List, ListChoice};
use super::form::BEGIN;
use super::paint::{Canvas, ClickTarget};

/// Draws a dialogue in the middle of an area.
pub(super) fn draw(canvas: &mut Canvas, dialog: &Dialog) {
    let (painter, words) = (canvas.painter, canvas.words);
    // The dialogue blocks clicks on the board.
    canvas.targets.clear();
    match dialog {
        Dialog::List(list) => draw_list(canvas, list),
        Dialog::Form(form) => {
            let mut inner = frame(canvas, (62, BEGIN as u16 + 1), words.new_game, words.form_help);
            for n in 0..=BEGIN {
                let (name, value) = form.text(n, words);
                let is_chosen = n == form.line;
                let mut own = inner.line(n as u16);
                own.buffer.set_style(own.area, if is_chosen { painter.chosen() } else { Style::new() });
                own.write((2, 0), name, Style::new());
                if n != BEGIN {
                    let text = if is_chosen { format!("◀ {value} ▶") } else { format!("  {value}") };
                    own.write((18, 0), &text, Style::new());
                }
                own.target(ClickTarget::Line(n));
            }
        }
        Dialog::Prompt(prompt) => {
            let width = canvas.area.width.saturating_sub(8).min(100);
            let mut inner = frame(canvas, (width, 1), prompt.title, words.prompt_help);
            // A long text shows its end.
            let room = usize::from(inner.area.width.saturating_sub(1));
            let skipped = prompt.text.chars().count().saturating_sub(room);
            let shown: String = prompt.text.chars().skip(skipped).collect();
            let end = inner.write((0, 0), &shown, Style::new());
            inner.write((end, 0), " ", painter.chosen());
        }
    }
}

fn draw_list(canvas: &mut Canvas, list: &List) {
    let (area, painter, words) = (canvas.area, canvas.painter, canvas.words);
    let width = list.items.iter().map(|(text, ..)| text.chars().count()).max().unwrap_or(0);
    let width = (width.max(words.list_help.chars().count()) as u16 + 10).min(area.width.saturating_sub(4));
    let mut inner = frame(canvas, (width, list.items.len().max(1) as u16), list.title, words.list_help);
    let room = usize::from(inner.area.height).max(1);
    let first = (list.selected + 1).saturating_sub(room);
    for (n, (text, key, choice)) in list.items.iter().enumerate().skip(first).take(room) {
        let mut own = inner.line((n - first) as u16);
        if *choice == ListChoice::Heading {
            own.write((0, 0), text, painter.faint());
            continue;
        }
        own.buffer.set_style(own.area, if n == list.selected { painter.chosen() } else { Style::new() });
        own.write((1, 0), text, Style::new());
        own.write_right(0, &format!("{key} "), painter.strong());
        own.target(ClickTarget::Line(n));
    }
    if list.items.is_empty() {
        inner.write((1, 0), words.no_games, painter.faint());
    }
    // Arrows on the frame show that the list continues.
    let border = Rect { x: inner.area.right() + 1, width: 1, ..inner.area };
    let mut border = canvas.part(border);
    if first > 0 {
        border.write((0, 0), "▲", Style::new());
    }
    if first + room < list.items.len() {
        border.write((0, border.area.height.saturating_sub(1)), "▼", Style::new());
    }
}

/// Draws a frame around the given columns and rows. Returns its inside.
fn frame<'a>(canvas: &'a mut Canvas, (columns, rows): (u16, u16), title: &str, help: &str) -> Canvas<'a> {
    let own = canvas.area.centered(Constraint::Length(columns + 4), Constraint::Length(rows + 2));
    Clear.render(own, canvas.buffer);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .padding(Padding::horizontal(1))
        .title_top(format!(" {title} "))
        .title_bottom(format!(" {help} "));
    let inner = block.inner(own);
    block.render(own, canvas.buffer);
    canvas.part(inner)
}
