package io.penstock.exchange;

import io.penstock.events.ConnectionEvents;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.time.Clock;
import io.penstock.work.RequestQueue;
import io.penstock.work.Scheduler;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The {@link ServerResources} for tests of a single class, without sockets and workers. */
public final class TestResources implements AutoCloseable {
    public final Spool spool;
    public final RequestQueue queue;
    public final Counters counters = new Counters();
    private final ServerResources resources;

    public TestResources(SegmentPool pool, WireConfig wireConfig) {
        this(pool, wireConfig, new RecordedEvents());
    }

    public TestResources(SegmentPool pool, WireConfig wireConfig, ConnectionEvents events) {
        this(pool, wireConfig, events, new Site());
    }

    public TestResources(SegmentPool pool, WireConfig wireConfig, ConnectionEvents events, Site site) {
        ServerConfig config = wireConfig.toConfig();
        try {
            spool = Spool.open(
                    config.spool().directory(),
                    config.spool().limit(),
                    config.spool().threads(),
                    config.spool().queue(),
                    counters,
                    "",
                    Rounds.unwatched());
        } catch (SpoolUnavailableException e) {
            throw new UncheckedIOException(e);
        }
        queue = new RequestQueue(config.threads().queue(), config.threads().maxStreaming());
        resources = new ServerResources(
                config,
                pool,
                spool,
                queue,
                new Scheduler("", Rounds.unwatched()),
                site,
                site,
                events,
                counters,
                Clock.SYSTEM,
                Rounds.unwatched());
    }

    public ServerResources resources() {
        return resources;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        spool.close();
    }
}
