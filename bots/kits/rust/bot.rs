//! A bot for hexabomb: change `turn` and play.
//!
//!     hexarena play bot.rs painter random random
//!     rustc -O --edition 2021 bot.rs && ./bot [HOST [PORT]]
mod hexarena;

use hexarena::{Action, Bot, Cells, Coord, Match, State, DIRECTIONS};

/// Paints, drops a bomb now and then, and steps out of danger.
struct MyBot;

impl Bot for MyBot {
    type State = State;
    type Action = Action;

    fn new(_game: &mut Match, _initial: State) -> MyBot {
        MyBot
    }

    /// Returns at most one action for each of my characters.
    fn turn(&mut self, game: &mut Match, state: State) -> Vec<Action> {
        let mine = game.player_id + 1; // my colour
        let board: Cells = state.cells.iter().map(|c| c.at()).collect();
        let not_mine: Cells = state.cells.iter().filter(|c| c.color != mine).map(|c| c.at()).collect();
        let alive = state.characters.iter().filter(|c| c.alive);
        let taken: Cells = alive.map(|c| c.at()).chain(state.bombs.iter().map(|b| b.at())).collect();
        let mut free = &board - &taken;
        // Cells that will explode, sooner or later.
        let mut danger: Cells = state.bombs.iter().flat_map(|b| blast(b.at(), b.range, &board)).collect();

        let mut actions = Vec::new();
        for character in state.characters.iter().filter(|c| c.color == mine) {
            let (id, here) = (character.id, character.at());
            if !character.alive {
                if character.revive_delay == 0 && game.nb_special_players == 0 {
                    actions.push(Action::Revive { id });
                }
                continue;
            }

            // Drop a bomb now and then, if I could step out of its reach in time.
            let reach = blast(here, 3, &board);
            let safe = &(&free - &danger) - &reach;
            if character.bomb_count > 0
                && !danger.contains(&here)
                && game.random.below(10) < 3
                && game.first_step(here, &free, &safe, 2).is_some()
            {
                actions.push(Action::DropBomb { id, bomb_range: 3, bomb_delay: 3 });
                danger.extend(reach);
                continue;
            }

            // Get out of danger; otherwise walk to the nearest cell that is not mine.
            let out_of_danger = &free - &danger;
            let step = if danger.contains(&here) {
                game.first_step(here, &free, &out_of_danger, usize::MAX)
            } else {
                game.first_step(here, &out_of_danger, &not_mine, usize::MAX)
            };
            if let Some(direction) = step {
                actions.push(Action::Move { id, direction });
                free.remove(&here.neighbour(direction));
            }
        }
        game.debug.values.insert("cells in danger".to_string(), danger.len() as f64);
        actions
    }

    fn end(&mut self, game: &Match, state: State, _winner: Option<i64>) {
        eprintln!("The match is over. I was player {}, the scores are {:?}", game.player_id, state.score);
    }
}

/// Returns the cells that a bomb covers: its own and six lines.
fn blast(bomb: Coord, range: i64, board: &Cells) -> Cells {
    let lines = DIRECTIONS.iter().flat_map(|&direction| bomb.ray(direction, range, board));
    lines.chain([bomb]).collect()
}

fn main() -> std::process::ExitCode {
    hexarena::run::<MyBot>()
}
