import java.util.ArrayList;
import java.util.List;

/** Plays turns of a simulator: a hundred times two rounds of all characters about a cell. */
public class Steps implements Hexarena<Hexarena.State> {
    private final Simulator<State> simulator;

    Steps(Match<State> match) {
        simulator = new Simulator<>(match, "hexabomb");
        simulator.save("start");
    }

    @Override
    public List<Action> turn(State state) {
        var walks = new ArrayList<List<List<Move>>>();
        for (int i = 0; i < 12; i++) {
            var direction = Direction.values()[i % 6];
            walks.add(state.score().keySet().stream().map(p -> state.characters().stream()
                    .filter(c -> c.color() == p + 1).map(c -> new Move(c.id(), direction)).toList()).toList());
        }
        for (int i = 0; i < 100; i++) {
            simulator.restore("start");
            walks.forEach(simulator::step);
        }
        return List.of();
    }

    public static void main(String[] args) { Hexarena.run("Steps", args, State::of, Steps::new); }
}
