package io.penstock.session.redis;

import io.penstock.store.AttributeTable.OfOneAttribute;
import io.penstock.store.SessionStoreContract;
import io.penstock.store.SessionStores;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests the contract of session stores with a single Redis. */
@NeedsProgram(Program.REDIS_SERVER)
final class RedisStoreTest extends SessionStoreContract {
    private static RedisServer redis;

    @BeforeAll
    static void start() throws IOException {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() throws IOException, InterruptedException {
        redis.close();
    }

    @Override
    protected SessionStores open(OfOneAttribute conflict) throws IOException {
        return RedisSessions.open("redis://127.0.0.1:" + redis.port() + Options.of(conflict));
    }
}
