package io.penstock.exchange;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.Notes;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.StreamReset;
import io.penstock.limits.Switch;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import io.penstock.pipe.PipeBounds;
import io.penstock.pipe.PipeMemory;
import io.penstock.pipe.SegmentPool;
import io.penstock.rules.ErrorDocuments;
import io.penstock.rules.ResponseRules;
import io.penstock.spool.Spool;
import io.penstock.time.Clock;
import io.penstock.work.Mapping;
import io.penstock.work.NoticedMappings;
import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The resources that all connections of one server share. They are independent of the protocol.
 *
 * <p>Thread: any.
 */
public final class ServerResources {
    private static final int NO_CONTENT = 204;

    private final ServerConfig config;
    private final SegmentPool pool;
    private final PipeBounds pipeBounds;
    private final PipeMemory pipeMemory;
    private final Spool spool;
    private final RequestQueue queue;
    private final Scheduler scheduler;
    private final Admission admission;
    private final ExchangeHandler handler;
    private final ConnectionEvents events;
    private final boolean followsRequests;
    private final boolean sendsServerTiming;
    private final @Nullable Duration callTime;
    private final Notes.Wanted wanted;
    private final Counters counters;
    private final RefusalLog refusals;
    private final NoticedMappings noticed = new NoticedMappings();
    private final Rounds rounds;
    private final HeadBudget headBudget;
    private final ByteAccount streamFiles;
    private final Clock clock;
    private final Shutdown shutdown = new Shutdown();
    private final AtomicLong connections = new AtomicLong();

    // Written by the thread that accepts connections.
    private volatile boolean connectionsScarce;

    // The object is replaced under the monitor while the server runs. Each method reads the field only once, so that it
    // uses one consistent set of rules.
    private volatile @Nullable OperatorRules rules;

    public ServerResources(
            ServerConfig config,
            SegmentPool pool,
            Spool spool,
            RequestQueue queue,
            Scheduler scheduler,
            Admission admission,
            ExchangeHandler handler,
            ConnectionEvents events,
            Counters counters,
            Clock clock,
            Rounds rounds) {
        this.config = config;
        this.refusals = new RefusalLog(config, scheduler, noticed);
        this.pool = pool;
        this.pipeBounds = PipeBounds.of(config.pipes());
        this.pipeMemory = new PipeMemory(pool, pipeBounds);
        this.spool = spool;
        this.queue = queue;
        this.scheduler = scheduler;
        this.admission = admission;
        this.handler = handler;
        this.events = events;
        this.followsRequests = events.followsRequests();
        this.wanted = events.wanted();
        this.sendsServerTiming = config.telemetry().serverTiming() == Switch.ON;
        Duration call = config.service().call();
        this.callTime = call.isZero() ? null : call;
        this.counters = counters;
        this.rounds = rounds;
        this.headBudget = new HeadBudget(config.pipes().heads());
        this.streamFiles = new ByteAccount(config.listen().maxConnections());
        this.clock = clock;
        this.rules = OperatorRules.of(gate(null, config.addresses()), null, null);
    }

    public ServerConfig config() {
        return config;
    }

    public SegmentPool pool() {
        return pool;
    }

    /** The mappings that monitors see by name. */
    public NoticedMappings noticed() {
        return noticed;
    }

    /** The bounds of the pipes of requests and responses. */
    public PipeBounds pipeBounds() {
        return pipeBounds;
    }

    /** The memory of the pipes of responses. */
    public PipeMemory pipeMemory() {
        return pipeMemory;
    }

    public Spool spool() {
        return spool;
    }

    public RequestQueue queue() {
        return queue;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    public Admission admission() {
        return admission;
    }

    public ExchangeHandler handler() {
        return handler;
    }

    public ConnectionEvents events() {
        return events;
    }

    /** Keeps the server's threads running after exceptions. */
    public Rounds rounds() {
        return rounds;
    }

    /** The memory budget of request heads. */
    public HeadBudget headBudget() {
        return headBudget;
    }

    /**
     * Counts and limits the files that responses hold until their clients have taken them, without the first one of each connection. The
     * limit is {@code max-connections}. So connections with many responses at a time need no more files than as many connections would.
     */
    public ByteAccount streamFiles() {
        return streamFiles;
    }

    /** The object that accepts or refuses requests by the addresses of clients; null if there are no limits by address. */
    public @Nullable AddressGate addressGate() {
        OperatorRules now = rules;
        return now == null ? null : now.addresses();
    }

    /** The operator's rules for the fields of responses; null if there are no rules. */
    public @Nullable ResponseRules responseRules() {
        OperatorRules now = rules;
        return now == null ? null : now.responses();
    }

    /**
     * Replaces the limits by address and the rules for responses in one step. The request counts of the addresses are kept if the rate, the
     * burst and the number of remembered addresses have not changed.
     */
    public synchronized void replaceRules(
            AddressLimits addresses, @Nullable ResponseRules responses, @Nullable ErrorDocuments errors) {
        rules = OperatorRules.of(gate(addressGate(), addresses), responses, errors);
    }

    /** The current pages for errors; null if there are none. */
    public @Nullable ErrorDocuments errorDocuments() {
        OperatorRules now = rules;
        return now == null ? null : now.errors();
    }

    private @Nullable AddressGate gate(@Nullable AddressGate before, AddressLimits limits) {
        return AddressGate.after(before, limits, clock, () -> reached(Key.REQUEST_RATE_KEPT));
    }

    /**
     * Decides on a request by its head. If there are rules for CORS, this method answers preflight requests before security constraints are
     * checked. Browsers send preflight requests without cookies and credentials, so security constraints would refuse them. For all other
     * requests, {@code by} decides.
     */
    public Admission.Verdict admit(Admission by, RequestHead head) throws Violation {
        ResponseRules responses = responseRules();
        Fields answer = responses == null ? null : responses.preflight(head);
        return answer == null ? by.admit(head) : new Admission.Answered(NO_CONTENT, answer, "", "preflight");
    }

    public Shutdown shutdown() {
        return shutdown;
    }

    /**
     * The largest body that a request may have. If a worker gets the request only when its body is complete, the body must fit into memory
     * or on disk.
     */
    public long bodyLimit(Admission.Admitted admitted) {
        return admitted.mode() == Admission.Mode.STREAMING
                ? admitted.bodyLimit()
                : Math.min(admitted.bodyLimit(), Math.max(pipeBounds.assured(), spool.limit()));
    }

    /** Returns the number for a new connection. The first number is 1. */
    public long nextConnection() {
        return connections.incrementAndGet();
    }

    /**
     * Whether a client that has got the end of a connection may need its place at once, for the next connection. If so, the reactor sends
     * the end, directly before it closes the connection.
     */
    public boolean areConnectionsScarce() {
        return connectionsScarce;
    }

    /** Thread: the one that accepts connections. */
    public void connectionsScarce(boolean scarce) {
        if (scarce != connectionsScarce) {
            connectionsScarce = scarce;
        }
    }

    /** Whether a request whose head arrives now needs a {@link RequestObserver}, for a listener or for the Server-Timing field. */
    public boolean followsNow() {
        return sendsServerTiming || (followsRequests && events.followsNow());
    }

    /** The time limit of a call into the application; null if there is none. */
    @Nullable
    Duration callTime() {
        return callTime;
    }

    /** What listeners want to know of requests in addition to the events. */
    Notes.Wanted wanted() {
        return wanted;
    }

    /** Whether responses have a Server-Timing field. */
    public boolean sendsServerTiming() {
        return sendsServerTiming;
    }

    public void count(Counter counter) {
        counters.increment(counter);
    }

    public void count(StreamReset cause) {
        counters.increment(cause);
    }

    public void count(Counter counter, long number) {
        counters.add(counter, number);
    }

    /** Counts that a limit was reached. If this means that a request is refused with the status 503, the log says so. */
    public void reached(Key limit) {
        reached(limit, null);
    }

    /**
     * As {@link #reached(Key)}.
     *
     * @param of the mapping of the refused request; null if it is unknown
     */
    public void reached(Key limit, @Nullable Mapping of) {
        counters.reached(limit);
        refusals.refused(limit, of);
    }
}
