package io.penstock.server;

import com.google.errorprone.annotations.FormatMethod;
import io.penstock.admin.Watched;
import io.penstock.context.OpenWebSockets;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.limits.BulkheadLimits;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.StreamReset;
import io.penstock.metrics.BulkheadFigures;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Gauges;
import io.penstock.work.Mapping;
import io.penstock.work.NoticedMappings;
import io.penstock.work.Workers;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * The current activity of a server as text for operators. It shows connections, workers with their stacks, bulkheads, gauges and counters.
 *
 * <p>Thread: any, except for reactors. The length of the text depends only on the number of connections and their
 * requests, workers and bulkheads.
 */
final class ServerDump {
    /** The largest number of frames in a stack. The top of the stack shows the cause of a wait, so deeper frames are left out. */
    private static final int FRAMES = 200;

    private static final int LONGEST = 200;

    private final StringBuilder out = new StringBuilder(4096);
    private final String node;

    /** @param node the name of this server; empty if the server has no name */
    ServerDump(String node) {
        this.node = node;
    }

    String of(
            ConnectionList list,
            Workers workers,
            NoticedMappings noticed,
            List<BulkheadFigures> bulkheads,
            Gauges gauges,
            Counters counters) {
        if (!node.isEmpty()) {
            line("node %s", node);
            line("");
        }
        connections(list);
        workers(workers);
        mappings(workers.loads(), noticed);
        bulkheads(bulkheads);
        gauges(gauges);
        counters(counters);
        return out.toString();
    }

    private void connections(ConnectionList list) {
        line("%d connections%s", list.connections().size(), list.connections().isEmpty() ? "" : ":");
        list.missing().forEach(reactor -> line("  %s: its connections are missing", reactor));
        if (!list.connections().isEmpty()) {
            line(
                    "  %-10s %-9s %10s  %-30s %-28s %12s %12s %12s %12s  %s",
                    "id",
                    "state",
                    "age",
                    "waits for",
                    "client",
                    "body memory",
                    "body disk",
                    "answer mem",
                    "answer file",
                    "request");
        }
        for (ConnectionSnapshot connection : list.connections()) {
            line(
                    "  %-10s %-9s %10s  %-30s %-28s %12d %12d %12d %12d  %s",
                    connection.connection(),
                    connection.state().shown(),
                    seconds(connection.ageNanos()),
                    connection.state().waitsFor(),
                    connection.client(),
                    connection.requestInMemory(),
                    connection.requestOnDisk(),
                    connection.responseInMemory(),
                    connection.responseInFiles(),
                    printable(connection.request()));
            connection.otherRequests().forEach(request -> line("             and %s", printable(request)));
        }
    }

    private void workers(Workers workers) {
        List<Workers.Doing> started = workers.doing();
        List<Workers.Doing> busy = started.stream()
                .filter(doing -> doing.job() != null)
                .sorted(Workers.Doing.LONGEST_FIRST)
                .toList();
        line("");
        line(
                "%d of %d workers busy, %d waiting, %d started",
                busy.size(),
                workers.count(),
                busy.stream().filter(Workers.Doing::waits).count(),
                started.size());
        for (Workers.Doing doing : busy.subList(0, Math.min(busy.size(), Watched.STACKS))) {
            String job = Objects.requireNonNull(doing.job()).describe();
            line("  %s for %s: %s", doing.thread().getName(), seconds(doing.nanos()), printable(job));
            stack(doing.thread());
        }
        if (busy.size() > Watched.STACKS) {
            line("  and %d more, for shorter times", busy.size() - Watched.STACKS);
        }
    }

    private void mappings(List<Workers.Load> loads, NoticedMappings noticed) {
        line("");
        line("servlets and paths that hold workers or wait: %d", loads.size());
        for (Workers.Load load : loads) {
            Mapping mapping = load.mapping();
            line(
                    "  %s: %d running, for up to %s; %d waiting, for up to %s; %d refused",
                    printable(mapping.name()),
                    mapping.running(),
                    seconds(load.longestNanos()),
                    mapping.waiting(),
                    seconds(load.oldestNanos()),
                    noticed.refusals(mapping));
        }
    }

    private void bulkheads(List<BulkheadFigures> bulkheads) {
        if (bulkheads.isEmpty()) {
            return;
        }
        line("");
        line("bulkheads:");
        for (BulkheadFigures bulkhead : bulkheads) {
            BulkheadLimits limits = bulkhead.limits();
            String workers = limits.limitsWorkers()
                    ? String.format(
                            Locale.ROOT,
                            "%d of %d workers, %d of %d wait, %d refused",
                            bulkhead.running().getAsLong(),
                            limits.maxWorkers(),
                            bulkhead.queued().getAsLong(),
                            limits.maxQueued(),
                            bulkhead.refused().getAsLong())
                    : "all workers";
            String writes = limits.limitsSpoolWrites()
                    ? String.format(
                            Locale.ROOT,
                            ", %d of %d writes to disk",
                            bulkhead.spoolWrites().getAsLong(),
                            limits.maxSpoolWrites())
                    : "";
            line("  %-24s %s%s", limits.path(), workers, writes);
        }
    }

    /** The WebSocket sessions whose clients read slowly; empty if there are no sessions. */
    static String webSockets(int open, List<OpenWebSockets.Slow> slowest) {
        if (open == 0) {
            return "";
        }
        ServerDump dump = new ServerDump("");
        dump.line("");
        dump.line("%d WebSocket sessions%s", open, slowest.isEmpty() ? "" : ", those with the most waiting bytes:");
        for (OpenWebSockets.Slow one : slowest) {
            dump.line("  %12d bytes  %-39s  %s", one.queuedBytes(), one.address(), printable(one.endpoint()));
        }
        return dump.out.toString();
    }

    private void stack(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
            line("    at %s", frames[i]);
        }
        if (frames.length > FRAMES) {
            line("    and %d more", frames.length - FRAMES);
        }
    }

    private void gauges(Gauges gauges) {
        line("");
        line("gauges:");
        for (Gauge gauge : Gauge.values()) {
            line("  %-30s %14d %s", gauge.id(), gauges.value(gauge), gauge.unit());
        }
    }

    private void counters(Counters counters) {
        line("");
        line("counters since the start, without those that are 0:");
        for (Counter counter : Counter.values()) {
            long value = counters.value(counter);
            if (value > 0) {
                line("  %-30s %14d", counter.id(), value);
            }
        }
        for (StreamReset cause : StreamReset.values()) {
            long value = counters.value(cause);
            if (value > 0) {
                line("  stream-resets %-16s %14d", cause.id(), value);
            }
        }
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /**
     * Makes a text from a client safe for a terminal. Replaces line breaks, control characters and non-ASCII characters, and limits the
     * length.
     */
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        text.chars().limit(LONGEST).forEach(c -> printable.append(c < ' ' || c > '~' ? '?' : (char) c));
        return printable.append(text.length() > LONGEST ? "..." : "").toString();
    }

    @FormatMethod
    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
