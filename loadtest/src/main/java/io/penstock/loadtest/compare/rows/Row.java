package io.penstock.loadtest.compare.rows;

import static io.penstock.loadtest.compare.rows.Bar.atLeast;
import static io.penstock.loadtest.compare.rows.Bar.atMost;
import static io.penstock.loadtest.compare.rows.Bar.timesTheBest;
import static io.penstock.loadtest.compare.rows.Bar.timesTheBestAtMost;
import static io.penstock.loadtest.compare.rows.Bar.timesTheLoopAtMost;
import static io.penstock.loadtest.compare.rows.Bar.timesWithAllOnAtMost;

import java.util.ArrayList;
import java.util.List;

/**
 * A row of the table: one figure of one work, and its {@link Bar}.
 *
 * @param work the {@linkplain Work#id() name} of the work
 * @param figure the figure of this work that the row shows
 */
record Row(String work, Figure figure, Bar bar) {
    private static final double SECOND = 1000;

    /** The maximum number of requests per second that the threads of a server can answer in the work {@code sleep}. */
    private static final double SLEEP_BOUND = Work.SLEEP_WORKERS * SECOND / Work.SLEEP_MILLIS;

    /** The part of {@link #SLEEP_BOUND} that a server should reach. */
    private static final double SLEEP_PART = 0.97;

    /** All rows of the command {@code compare rows}. */
    static final List<Row> ALL = List.of(
            new Row("hello-64", Figure.REQUESTS, timesTheBest(1.35)),
            new Row("hello-256", Figure.REQUESTS, timesTheBest(1.5)),
            new Row("hello-1024", Figure.REQUESTS, timesTheBest(1.35)),
            new Row("hello-8192", Figure.REQUESTS, timesTheBest(1.3)),
            new Row("hello-256", Figure.CPU, timesTheLoopAtMost(1.85)),
            new Row("hello-256", Figure.SWITCHES, atMost(0.15)),
            new Row("hello-256", Figure.ALLOCATED, atMost(2048)),
            new Row("hello-256", Figure.TAIL, atMost(4)),
            new Row("hello-256", Figure.REQUESTS, timesWithAllOnAtMost(1.03)),
            new Row("echo-1k", Figure.REQUESTS, timesTheBest(1.6)),
            new Row("echo-64k", Figure.REQUESTS, timesTheBest(1.3)),
            new Row("echo-256k", Figure.REQUESTS, timesTheBest(1.2)),
            new Row("echo-1m", Figure.REQUESTS, timesTheBest(1.2)),
            new Row("output-64k", Figure.REQUESTS, timesTheBest(1.3)),
            new Row("output-1m", Figure.REQUESTS, timesTheBest(1.2)),
            new Row("pipelined", Figure.REQUESTS, timesTheBest(2)),
            new Row("new-connection", Figure.REQUESTS, timesTheBest(1.1)),
            new Row("sleep", Figure.REQUESTS, atLeast(SLEEP_BOUND * SLEEP_PART)),
            new Row("file", Figure.GIGABYTES, timesTheBest(1)),
            new Row("start-folder", Figure.START, timesTheBestAtMost(0.8)),
            new Row("start-war", Figure.START, timesTheBestAtMost(1)),
            new Row("start-folder-archive", Figure.START, timesTheBestAtMost(0.5)),
            new Row("start-folder-archive", Figure.START, atMost(500)),
            new Row("start-war-archive", Figure.START, timesTheBestAtMost(0.6)),
            new Row("start-war-archive", Figure.START, atMost(600)),
            new Row("idle", Figure.HEAP_EACH, atMost(1024)),
            new Row("burst", Figure.IN_TIME, atLeast(20)),
            new Row("burst", Figure.LONGEST, atMost(SECOND)));

    private static final double TLS_REQUESTS = 1.2;
    private static final double TLS_BYTES = 1;
    private static final double TLS_HANDSHAKES = 0.95;

    /** The rows over TLS. Each work has one row for the rate, with a bar, and one row for the processor time, without a bar. */
    static final List<Row> OVER_TLS = List.of(
            new Row("tls-hello-64", Figure.REQUESTS, timesTheBest(TLS_REQUESTS)),
            new Row("tls-hello-64", Figure.CPU, Bar.none()),
            new Row("tls-hello-256", Figure.REQUESTS, timesTheBest(TLS_REQUESTS)),
            new Row("tls-hello-256", Figure.CPU, Bar.none()),
            new Row("tls-file-64", Figure.GIGABYTES, timesTheBest(TLS_BYTES)),
            new Row("tls-file-64", Figure.CPU, Bar.none()),
            new Row("tls-file-256", Figure.GIGABYTES, timesTheBest(TLS_BYTES)),
            new Row("tls-file-256", Figure.CPU, Bar.none()),
            new Row("tls-full-1.3", Figure.HANDSHAKES, timesTheBest(TLS_HANDSHAKES)),
            new Row("tls-full-1.3", Figure.HANDSHAKE_CPU, Bar.none()),
            new Row("tls-resumed-1.3", Figure.HANDSHAKES, timesTheBest(TLS_HANDSHAKES)),
            new Row("tls-resumed-1.3", Figure.HANDSHAKE_CPU, Bar.none()),
            new Row("tls-full-1.2", Figure.HANDSHAKES, timesTheBest(TLS_HANDSHAKES)),
            new Row("tls-full-1.2", Figure.HANDSHAKE_CPU, Bar.none()),
            new Row("tls-resumed-1.2", Figure.HANDSHAKES, timesTheBest(TLS_HANDSHAKES)),
            new Row("tls-resumed-1.2", Figure.HANDSHAKE_CPU, Bar.none()));

    /**
     * The rows of works in which servlets wait or compute.
     *
     * @param virtual whether servlets run on virtual threads
     */
    static List<Row> waiting(boolean virtual) {
        List<Row> rows = new ArrayList<>();
        for (Work work : Work.waiting(Work.Size.FULL, virtual)) {
            String id = work.id();
            if (id.startsWith("one") || id.startsWith("quick")) {
                rows.add(new Row(id, Figure.RESIDENT, Bar.none()));
                rows.add(new Row(id, Figure.THREADS, Bar.none()));
                continue;
            }
            if (id.startsWith("beside")) {
                rows.add(new Row(id, Figure.QUICK_TAIL, atMost(20)));
            } else {
                rows.add(new Row(id, Figure.REQUESTS, timesTheBest(1)));
            }
            if (id.startsWith("mixed")) {
                rows.add(new Row(id, Figure.QUICK_TAIL, virtual ? Bar.none() : timesTheBestAtMost(0.1)));
            }
            boolean mayRefuse = id.startsWith("compute") || id.startsWith("wait-1000") && !virtual;
            rows.add(new Row(id, Figure.FAILED, mayRefuse ? Bar.none() : atMost(0)));
        }
        return List.copyOf(rows);
    }
}
