//! A bot for hexabomb: change `turn` and play.
//!
//!     hexarena play bot.rs painter random random
//!     rustc -O --edition 2021 bot.rs && ./bot [HOST [PORT]]
mod hexabomb;
mod hexarena;

use hexarena::{Action, Bot, Match, State};

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
        let mut board = hexabomb::Board::new(game, &state);
        for c in board.mine.clone() {
            let (here, safe, blast) = (c.at(), &board.free - &board.danger, board.blast(c.at(), 3));
            let can_flee = game.first_step(here, &board.free, &(&safe - &blast), 2).is_some();
            if board.danger.contains(&here) {
                board.step(&c, game.first_step(here, &board.free, &safe, usize::MAX));
            } else if c.bomb_count > 0 && can_flee && game.random.below(10) < 3 {
                board.drop_bomb(&c, 3, 3); // now and then, if I can step out of its reach in time
            } else {
                board.step(&c, game.first_step(here, &safe, &board.not_mine, usize::MAX));
            }
        }
        game.debug.values.insert("cells in danger".to_string(), board.danger.len() as f64);
        board.actions
    }

    fn end(&mut self, game: &Match, state: State, _winner: Option<i64>) {
        eprintln!("The match is over. I was player {}, the scores are {:?}", game.player_id, state.score);
    }
}

fn main() -> std::process::ExitCode {
    hexarena::run::<MyBot>()
}
