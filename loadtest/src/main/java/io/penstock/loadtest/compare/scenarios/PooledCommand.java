package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare pooled}. */
@Command(
        name = "pooled",
        description = {
            "Are normal requests answered by a servlet that holds one of ten permits, as if it were a database connection, for its"
                    + " whole call, while slow clients use the same servlet?",
            "First slow uploads, then slow readers; runs alone and runs beside them take turns."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        defaultValueProvider = DefaultRounds.One.class,
        sortOptions = false)
public final class PooledCommand extends ScenarioCommand {
    private static final String PATH = "/pooled?bytes=";
    private static final String NORMAL_PATH = PATH + 13;

    @Option(
            names = "--slow",
            paramLabel = "N",
            description = "Slow uploads in the first part, and slow readers in the second; 50 if absent.")
    private @Nullable Integer slow;

    @Mixin
    private SlowUploads uploads = new SlowUploads();

    @Mixin
    private SlowReaders readers = new SlowReaders();

    @Mixin
    private NormalRequests normal = new NormalRequests();

    @Override
    List<Scenario> scenarios() {
        uploads.check();
        readers.check();
        int size = atLeast(1, size(slow, 50, 20), "--slow");
        Company uploading = new Company(
                size + " slow uploads", size, process -> CrowdPlan.of(size, uploads.to(process.target(NORMAL_PATH))));
        Company reading = new Company(
                size + " slow readers",
                size,
                process -> CrowdPlan.of(size, readers.of(process.target(PATH + readers.length()))));
        return List.of(new SlowScenario(
                "pooled",
                "Normal requests to a servlet with ten permits",
                NORMAL_PATH,
                List.of(uploading, reading),
                normal.plan(isSmoke())));
    }
}
