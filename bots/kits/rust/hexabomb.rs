// SPDX-License-Identifier: Apache-2.0
//! The part of the kit for hexabomb: the board as sets of cells, and orders that change it.
#![allow(dead_code)] // no bot uses everything

use crate::hexarena::{Action, Cells, Character, Coord, Direction, Match, State, DIRECTIONS};

/// A state as a player sees it, and the player's orders of the turn, which change its sets.
pub struct Board {
    pub cells: Cells,
    pub free: Cells,          // without a living character and a bomb
    pub danger: Cells,        // in reach of a bomb, however long it takes to explode
    pub not_mine: Cells,      // of another colour than the player's
    pub mine: Vec<Character>, // the player's, alive
    pub actions: Vec<Action>, // the orders
}

impl Board {
    /// Returns the board of a state, with an order to revive for each dead character that can.
    pub fn new(game: &Match, state: &State) -> Board {
        let color = game.player_id + 1;
        let cells: Cells = state.cells.iter().map(|c| c.at()).collect();
        let living = state.characters.iter().filter(|c| c.alive).map(|c| c.at());
        let taken: Cells = living.chain(state.bombs.iter().map(|b| b.at())).collect();
        let (mine, dead): (Vec<_>, Vec<_>) =
            state.characters.iter().filter(|c| c.color == color).cloned().partition(|c| c.alive);
        // Where another character stands, it may be about to leave.
        let can_revive = |c: &&Character| c.revive_delay == 0 && game.nb_special_players == 0;
        // All rules but the draft ignore the cell.
        let revive = |c: &Character| Action::ReviveAt { id: c.id, revive_q: c.q, revive_r: c.r };
        let revivals = dead.iter().filter(can_revive).map(revive).collect();
        Board {
            free: &cells - &taken,
            danger: state.bombs.iter().flat_map(|b| blast(b.at(), b.range, &cells)).collect(),
            not_mine: state.cells.iter().filter(|c| c.color != color).map(|c| c.at()).collect(),
            mine,
            actions: revivals,
            cells,
        }
    }

    /// Returns the cells that a bomb covers: its own and six lines.
    pub fn blast(&self, at: Coord, range: i64) -> Cells {
        blast(at, range, &self.cells)
    }

    /// Orders a character to drop a bomb.
    pub fn drop_bomb(&mut self, character: &Character, bomb_range: i64, bomb_delay: i64) {
        self.danger.extend(blast(character.at(), bomb_range, &self.cells));
        self.actions.push(Action::DropBomb { id: character.id, bomb_range, bomb_delay });
    }

    /// Orders a character to take a step, if there is one, such as the first of a way.
    pub fn step(&mut self, character: &Character, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.free.remove(&character.at().neighbour(direction));
            self.actions.push(Action::Move { id: character.id, direction });
        }
    }
}

fn blast(at: Coord, range: i64, board: &Cells) -> Cells {
    let lines = DIRECTIONS.iter().flat_map(|&direction| at.ray(direction, range, board));
    lines.chain([at]).collect()
}
