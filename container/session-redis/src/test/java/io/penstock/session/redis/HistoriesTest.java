package io.penstock.session.redis;

import io.penstock.store.AttributeTable.OfOneAttribute;
import io.penstock.store.SessionStores;
import io.penstock.store.StoreHistories;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs random operations of three servers, with one Redis and with a cluster. Compares the results with a model in memory. */
@NeedsProgram(Program.REDIS_SERVER)
final class HistoriesTest {
    private static final int HISTORIES = 300;

    @ParameterizedTest
    @EnumSource(OfOneAttribute.class)
    void randomOperationsWithOneRedisMatchTheModel(OfOneAttribute conflict) throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            run("redis://127.0.0.1:" + redis.port(), conflict, HISTORIES);
        }
    }

    @Test
    void randomOperationsWithAClusterMatchTheModel() throws Exception {
        try (RedisCluster cluster = RedisCluster.start()) {
            run("redis-cluster://" + cluster.hosts(), OfOneAttribute.LATER_IS_REFUSED, HISTORIES / 10);
        }
    }

    private static void run(String address, OfOneAttribute conflict, int histories) throws Exception {
        List<SessionStores> servers = new ArrayList<>();
        try {
            for (int i = 0; i < 3; i++) {
                servers.add(RedisSessions.open(address + Options.of(conflict)));
            }
            new StoreHistories(conflict, servers).run(histories);
        } finally {
            for (SessionStores server : servers) {
                server.close();
            }
        }
    }
}
