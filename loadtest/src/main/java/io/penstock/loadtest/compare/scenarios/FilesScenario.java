package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Measures how fast each server's own default servlet sends files.
 *
 * @param sizes the sizes of the files, each with its number of users
 * @param warmUp the warm-up time for each size, which is not counted
 * @param time the measured time for each size
 */
record FilesScenario(List<Size> sizes, Duration warmUp, Duration time) implements Scenario {
    private static final Measure REQUESTS = Measure.tenths("requestsPerSecond", "requests/s");
    private static final Measure GIGABYTES = Measure.thousandths("gigabytesPerSecond", "GB/s");
    private static final Measure CPU_REQUEST = Measure.tenths("cpuMicrosPerRequest", "CPU µs/request");
    private static final Measure CPU_MEGABYTE = Measure.tenths("cpuMicrosPerMegabyte", "CPU µs/MB");
    private static final Measure FAILED = Measure.whole("failed", "not answered");
    private static final Measure RESIDENT = Measure.whole("residentMegabytes", "resident, MB");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first error");
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** The size of a file in bytes, and the number of users that request the file at the same time. */
    record Size(String name, long bytes, int users) {
        String file() {
            return name.replace(" ", "") + ".txt";
        }
    }

    FilesScenario {
        sizes = List.copyOf(sizes);
    }

    @Override
    public String name() {
        return "files";
    }

    @Override
    public String title() {
        return "Static files";
    }

    @Override
    public String explanation() {
        StringBuilder users = new StringBuilder();
        for (Size size : sizes) {
            users.append(users.isEmpty() ? "" : ", ");
            users.append(String.format(Locale.ROOT, "%s (%,d bytes): %d", size.name(), size.bytes(), size.users()));
        }
        return "Each server's own default servlet sends files. Each user holds a connection, and requests the"
                + " next file as soon as one has arrived. Users for each size: " + users
                + ". CPU is the server's processor time. The client reads all bytes, on the same processors.";
    }

    @Override
    public String partTitle() {
        return "file";
    }

    @Override
    public List<Measure> columns() {
        return List.of(REQUESTS, GIGABYTES, CPU_REQUEST, CPU_MEGABYTE, FAILED, RESIDENT, TROUBLE);
    }

    @Override
    public int connections() {
        return sizes.stream().mapToInt(Size::users).max().orElse(1);
    }

    @Override
    public void prepare(ContentFolder content) throws IOException {
        for (Size size : sizes) {
            content.add(size.file(), size.bytes());
        }
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        try (ServerProcess process = launch.start(UnaryOperator.identity())) {
            recorder.started(process);
            for (Size size : sizes) {
                measure(size, process, recorder.part(size.name()));
            }
        }
    }

    private void measure(Size size, ServerProcess process, Results.Round round)
            throws IOException, InterruptedException {
        Target target = process.target("/files/" + size.file());
        // The warm-up and the measured run each use new connections, which are closed at the end of the run.
        ask(size, target, process, warmUp);
        ProcessAccount before = process.account();
        AskingUsers.Got got = ask(size, target, process, time);
        double cpuMicros = process.account().cpuSecondsSince(before) * 1e6;
        double seconds = got.nanos() / 1e9;
        double megabytes = got.good() * size.bytes() / 1e6;
        round.put(FAILED, got.failed())
                .put(RESIDENT, process.account().residentBytes() / 1e6)
                .put(TROUBLE, got.firstTrouble());
        if (got.good() > 0) {
            round.put(REQUESTS, got.good() / seconds)
                    .put(GIGABYTES, megabytes / 1e3 / seconds)
                    .put(CPU_REQUEST, cpuMicros / got.good())
                    .put(CPU_MEGABYTE, cpuMicros / megabytes);
        }
    }

    private static AskingUsers.Got ask(Size size, Target target, ServerProcess process, Duration time)
            throws IOException, InterruptedException {
        try (ClientLoop loop = ClientLoop.start(size.users())) {
            return new Watch(process)
                    .until(
                            AskingUsers.begin(loop, target, size.users(), time, DEADLINE),
                            time.plus(DEADLINE).plus(DEADLINE));
        }
    }
}
