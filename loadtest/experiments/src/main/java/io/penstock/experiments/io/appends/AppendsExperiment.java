package io.penstock.experiments.io.appends;

import io.penstock.experiments.io.appends.AppendingProcess.Ending;
import io.penstock.experiments.io.measure.AlternatingRounds;
import io.penstock.experiments.io.measure.AlternatingRounds.Way;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.ScratchDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures each {@link AppendWay} of appending records to a file, each time in a new process. In one series of rounds, the file is closed
 * after a wait for all records. In another series, the file is closed without this wait (a plain close), and the lost records are counted.
 *
 * <p>JMH is not used, since an asynchronous append is not complete when its call returns. So the speed can only be measured from the first
 * call to the end of the close that waits.
 */
final class AppendsExperiment implements Experiment {
    private final long records;
    private final int rounds;
    private final Map<AppendWay, List<AppendOutcome>> waited = new LinkedHashMap<>();
    private final Map<AppendWay, List<AppendOutcome>> plain = new LinkedHashMap<>();

    AppendsExperiment(long records, int rounds) {
        this.records = records;
        this.rounds = rounds;
    }

    @Override
    public long bytesNeeded() {
        return records * Records.LENGTH;
    }

    @Override
    public Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws InterruptedException {
        AlternatingRounds speed = new AlternatingRounds(
                ways(scratch, Ending.CLOSE_AND_WAIT, waited), "appends a second, close waits", progress);
        speed.run(0, rounds);
        AlternatingRounds loss =
                new AlternatingRounds(ways(scratch, Ending.CLOSE_PLAINLY, plain), "lost by a plain close", progress);
        loss.run(0, rounds);
        Map<String, IOException> failures = new LinkedHashMap<>(loss.failures());
        failures.putAll(speed.failures());
        return failures;
    }

    private List<Way> ways(ScratchDirectory scratch, Ending ending, Map<AppendWay, List<AppendOutcome>> outcomes) {
        List<Way> ways = new ArrayList<>();
        for (AppendWay way : AppendWay.values()) {
            AppendRun run = new AppendRun(way, ending, records, records / 2);
            ways.add(new Way(way.label(), () -> {
                AppendOutcome outcome = run.in(scratch.path());
                outcomes.computeIfAbsent(way, key -> new ArrayList<>()).add(outcome);
                return ending == Ending.CLOSE_AND_WAIT ? outcome.perSecond() : outcome.lost();
            }));
        }
        return ways;
    }

    @Override
    public Findings findings() {
        return AppendsFindings.of(records, waited, plain);
    }
}
