// Plays turns of a simulator: a hundred times two rounds of all characters about a cell.
#include "hexarena.hpp"

using namespace hexarena;

struct Steps : Bot<> {
    Simulator<> simulator;

    explicit Steps(Match<State>& its_match) : Bot(its_match), simulator(its_match) { simulator.save("start"); }

    std::vector<Action> turn(const State& state) override {
        using Answer = std::optional<std::vector<Action>>;
        std::vector<std::vector<Answer>> walks(12, std::vector<Answer>(state.score.size(), std::vector<Action>()));
        for (std::size_t i = 0; i < walks.size(); ++i)
            for (const Character& c : state.characters)
                walks[i][static_cast<std::size_t>(c.color - 1)]->push_back(Move{c.id, directions[i % 6]});
        for (int i = 0; i < 100; ++i) {
            simulator.restore("start");
            for (const auto& walk : walks) simulator.step(walk);
        }
        return {};
    }
};

int main(int argc, char** argv) { return run<Steps>("steps", argc, argv); }
