package io.penstock.http1;

import io.penstock.exchange.ServerResources;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.Spool;
import io.penstock.spool.SpoolUnavailableException;
import io.penstock.work.Keeper;
import io.penstock.work.RequestQueue;
import java.io.IOException;
import java.io.UncheckedIOException;

/** What connections share, without sockets and workers, for tests of one class. */
final class House implements AutoCloseable {
    final Spool spool;
    final RequestQueue queue;
    final Counters counters = new Counters();
    private final ServerResources resources;

    House(SegmentPool pool, WireConfig wireConfig) {
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
        Site site = new Site();
        resources = new ServerResources(
                config,
                pool,
                spool,
                queue,
                new Keeper("", Rounds.unwatched()),
                site,
                site,
                new RecordedEvents(),
                counters,
                Rounds.unwatched());
    }

    ServerResources resources() {
        return resources;
    }

    @Override
    public void close() throws IOException, InterruptedException {
        spool.close();
    }
}
