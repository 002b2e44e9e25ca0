package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.Bar;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Measures whether slow clients delay the requests of normal clients. Normal requests are sent at a constant rate, alternately without slow
 * clients and while slow clients are connected. For each group of slow clients, a new server is started.
 *
 * @param path the path of the normal requests
 * @param companies the groups of slow clients
 * @param application the application that the servers run
 */
record SlowScenario(
        String name, String title, String path, List<Company> companies, SlowPlan plan, Application application)
        implements Scenario {
    /** The application that the servers run. */
    enum Application {
        /** The servlets and files that all servers have in common. */
        SERVLETS,
        /** A Spring Boot application. Spring Boot configures the server. */
        BOOT
    }

    /** The name of the file that slow readers request, below {@code /files/}. */
    static final String FILE = "slow.txt";

    private static final long FILE_SIZE = 16L << 20;
    private static final Duration TO_GET_QUIET = Duration.ofSeconds(10);
    private static final String PERMITS =
            " A call holds its permit from its beginning to its end. *For fast clients* is the longest time of a"
                    + " permit while four fast clients send the same requests. It shows the time of the servlet's own"
                    + " work.";

    private static final String ENCRYPTED =
            " Over TLS, normal and slow clients use the JDK's engine, too. Every connection has a full"
                    + " handshake, with a key on P-256. The first two seconds of each run, in which its connections are"
                    + " made, do not count. A slow reader takes its first record, of at most 16 KB, at once, since a"
                    + " record can be used only when it is complete. Each piece of an upload is a record. Of the"
                    + " clients with half a handshake, half send only half of their first message, and count as"
                    + " connected when it is sent. The others send the first message and never a second one, and count"
                    + " as connected when the server has answered the first. Rows without TLS are of the same server in"
                    + " the same run.";

    /**
     * The number of fast clients. It is the number of Penstock's worker threads; with more clients, requests would wait for a worker
     * thread.
     */
    private static final int FAST_CLIENTS = 4;
    /** The time for which the fast clients send requests. This time is enough for thousands of requests. */
    private static final Duration FAST_TIME = Duration.ofMillis(500);

    private static final String POOLED = "/pooled";

    /** Creates a scenario with the servlets and files that all servers have in common. */
    SlowScenario(String name, String title, String path, List<Company> companies, SlowPlan plan) {
        this(name, title, path, companies, plan, Application.SERVLETS);
    }

    /** Whether all slow clients were connected at the beginning of each slice. A slice is a pair of runs: without and with slow clients. */
    private enum Crowding {
        COMPLETE,
        INCOMPLETE
    }

    @Override
    public String explanation() {
        return String.format(
                        Locale.ROOT,
                        "Normal requests to `%s` come at a constant %d a second, alone and beside slow"
                                + " clients in turns, %d turns each. Latency counts from the moment at which a request"
                                + " was due. A request is *answered in time* if its good response is complete within %d"
                                + " ms. Percentiles are of all requests that were due; a request without such a"
                                + " response counts as if it had taken this time. *p99 of slices* has the lowest and"
                                + " the highest p99 of the turns of a row. The normal requests begin when all slow"
                                + " clients are *connected*: an upload or a half head counts as connected when its"
                                + " first bytes are sent, a reader when its request is sent. The column *slow clients*"
                                + " also has the number of readers that were being answered, and of uploads whose first"
                                + " bytes the server took. If not all slow clients are connected after %d s, the normal"
                                + " requests begin beside those that are. The sockets of slow clients have buffers of"
                                + " %d bytes to receive and %d to send; the server's have %d to send. Calls of"
                                + " `service` are the most that were open at a time, as the application counts them."
                                + " Threads, resident memory, and the kernel's memory for the sockets of both sides are"
                                + " the largest values, read each half second. The bar: all requests are answered, and"
                                + " p99 is at most three times the p99 *alone*, or 5 ms above it.",
                        path,
                        plan.rate(),
                        plan.slices(),
                        plan.deadline().toMillis(),
                        plan.toGather().toSeconds(),
                        plan.sockets().receive(),
                        plan.sockets().send(),
                        plan.sockets().serversSend())
                + (application == Application.BOOT ? "" : ofServlets())
                + (path.startsWith(POOLED) ? PERMITS : "")
                + (companies.stream().anyMatch(company -> company.transport() == Transport.TLS) ? ENCRYPTED : "");
    }

    private String ofServlets() {
        return String.format(
                Locale.ROOT,
                " Servers with a pool have %d threads. Tomcat 7 has a thread for each connection, and Penstock"
                        + " its workers. *Allowed* is the heap, %d MB for pipes, and 256 MB for everything else; it is the"
                        + " same for every server. 1 MB is 1,000,000 bytes in columns, and 1,048,576 in settings.",
                plan.servers().pool(),
                plan.servers().pipeBudget() >> 20);
    }

    @Override
    public String settings() {
        return application == Application.BOOT ? BootScenario.SETTINGS : Scenario.super.settings();
    }

    @Override
    public String partTitle() {
        return "run";
    }

    @Override
    public List<Measure> columns() {
        if (application == Application.BOOT) {
            return SlowSide.columnsOfDefaults();
        }
        return path.startsWith(POOLED) ? SlowSide.columnsWithPermits() : SlowSide.columns();
    }

    @Override
    public void prepare(ContentFolder content) throws IOException {
        content.add(FILE, FILE_SIZE);
    }

    @Override
    public int connections() {
        return plan.connections()
                + companies.stream().mapToInt(Company::size).max().orElse(0);
    }

    @Override
    public int files() {
        return companies.stream().mapToInt(Company::files).max().orElse(0);
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        for (Company company : companies) {
            if (!company.transport().concerns(server)) {
                continue;
            }
            try (Encryption encryption = Encryption.of(company.transport());
                    ServerProcess process = launch.start(common -> encryption.server(plan.options(server, common)));
                    ClientLoop normal = ClientLoop.start(encryption.client(plan.normalClients()));
                    ClientLoop slow = ClientLoop.start(encryption.client(plan.slowClients(company.size())))) {
                recorder.started(process);
                warmUp(process, normal);
                measure(company, process, encryption, normal, slow, recorder);
            }
        }
    }

    private void warmUp(ServerProcess process, ClientLoop normal) throws IOException, InterruptedException {
        OpenPlan rate = plan.warmUp(process.target(path));
        Answers first = new Watch(process).until(Offer.begin(normal, rate), rate.patience());
        if (first.good() == 0) {
            throw new IOException("no normal request was answered without slow clients: " + first.firstTrouble());
        }
    }

    private void measure(
            Company company,
            ServerProcess process,
            Encryption encryption,
            ClientLoop normal,
            ClientLoop slow,
            Recorder recorder)
            throws IOException, InterruptedException {
        SlowSide alone = new SlowSide(recorder.part(before(company)), process, plan.deadline());
        SlowSide loaded = new SlowSide(recorder.part("beside " + company.name()), process, plan.deadline());
        loaded.putResidentAllowed(plan.residentAllowed(process.heapBytes()));
        if (!company.ownWork().isEmpty()) {
            loaded.putOwnWork(ownWork(process.target(company.ownWork()), process, encryption));
        }
        Target target = process.target(path);
        Crowding crowding = Crowding.COMPLETE;
        for (int slice = 0; slice < plan.slices(); slice++) {
            // The server reports maxima. The maximum of an earlier slice must not be counted for this slice.
            process.reset();
            offer(normal, plan.alone(target, company.transport()), alone);
            process.reset();
            CrowdPlan crowdPlan = company.at().apply(process);
            try (RunningCrowd crowd = RunningCrowd.gatherReachable(slow, crowdPlan, plan.toGather())) {
                Tally before = crowd.tally();
                crowding = before.isComplete() ? crowding : Crowding.INCOMPLETE;
                // These values are stored before the normal requests begin. So the row has the values even if the slow
                // clients make the server fail.
                loaded.putSlowClients(before, before);
                offer(normal, plan.besideCrowd(target, company.transport()), loaded);
                loaded.putSlowClients(before, crowd.disperse());
            }
            loaded.putBar(bar(alone, loaded, crowding));
            loaded.awaitQuiet(TO_GET_QUIET);
        }
    }

    /**
     * Measures the longest time for which a call of the servlet {@code /pooled} holds one of its permits if all clients are fast, in
     * microseconds. The fast clients send the same request as the slow clients.
     */
    private long ownWork(Target target, ServerProcess process, Encryption encryption)
            throws IOException, InterruptedException {
        try (ClientLoop fast = ClientLoop.start(encryption.client(plan.fastClients(FAST_CLIENTS)))) {
            // This first run is not measured. Its requests run code that the JVM has not compiled yet.
            askFast(target, process, fast);
        }
        process.reset();
        try (ClientLoop fast = ClientLoop.start(encryption.client(plan.fastClients(FAST_CLIENTS)))) {
            askFast(target, process, fast);
        }
        return process.stats().permitLongestMicros();
    }

    private void askFast(Target target, ServerProcess process, ClientLoop fast)
            throws IOException, InterruptedException {
        AskingUsers.Got got = new Watch(process)
                .until(
                        AskingUsers.begin(fast, target, FAST_CLIENTS, FAST_TIME, TO_GET_QUIET),
                        FAST_TIME.plus(TO_GET_QUIET).plus(TO_GET_QUIET));
        if (got.failed() > 0) {
            throw new IOException("fast clients were not answered without slow clients: " + got.firstTrouble());
        }
    }

    private String before(Company company) {
        return companies.size() == 1 ? "alone" : "alone, before " + company.name();
    }

    private static void offer(ClientLoop normal, OpenPlan rate, SlowSide side)
            throws IOException, InterruptedException {
        side.add(side.watch().until(Offer.begin(normal, rate), rate.patience()));
    }

    private static String bar(SlowSide alone, SlowSide loaded, Crowding crowding) {
        Answers answers = loaded.answers();
        if (answers.good() < answers.count() || !new Bar(alone.p99(), loaded.p99()).isMet()) {
            return "missed";
        }
        return crowding == Crowding.COMPLETE ? "met" : "met, but not all slow clients were connected";
    }
}
