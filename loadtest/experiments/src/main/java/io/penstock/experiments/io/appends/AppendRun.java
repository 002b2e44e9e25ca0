package io.penstock.experiments.io.appends;

import io.penstock.experiments.io.measure.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Starts one {@link AppendingProcess}, and counts the records in its file when the process has ended. */
record AppendRun(AppendWay way, AppendingProcess.Ending ending, long records, long warmUp) {
    AppendOutcome in(Path directory) throws IOException, InterruptedException {
        Path file = directory.resolve("appended-" + way + "-" + ending);
        try {
            List<String> printed = ChildProcess.run(
                    AppendingProcess.class,
                    List.of(way.name(), ending.name(), file.toString(), Long.toString(records), Long.toString(warmUp)));
            AppendOutcome outcome = AppendOutcome.parse(printed);
            return outcome.found(Records.present(file, outcome.accepted()));
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
