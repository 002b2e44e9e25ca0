package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.pipe.ForwardingFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * If a thread is interrupted while it reads a file, the JDK closes the file. A service timeout interrupts workers. So workers must not
 * send files if a service timeout is set.
 */
final class InterruptedFileTest {
    private static final int SIZE = 2_000_000;
    private static final String GET_FILE = "GET /file HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String GET_NEXT = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";

    @TempDir
    Path folder;

    private Path path;
    private final Set<String> senders = ConcurrentHashMap.newKeySet();
    private final Site site = new Site()
            .on("/file", exchange -> {
                exchange.response().head(new ResponseHead(200, Fields.EMPTY, SIZE));
                exchange.response().write(new Watched(), 0, SIZE, true);
            })
            .on("/next", exchange -> {
                exchange.response().head(new ResponseHead(200, Fields.EMPTY, 100_000));
                for (int i = 0; i < 100; i++) {
                    exchange.response().write(ByteBuffer.wrap(new byte[1000]), i == 99);
                    exchange.response().flush();
                }
            });

    @BeforeEach
    void createFile() throws IOException {
        path = Files.write(folder.resolve("file"), new byte[SIZE]);
    }

    /** A file that records the names of the threads that send the file. */
    private final class Watched extends ForwardingFile {
        Watched() throws IOException {
            super(FileChannel.open(path, StandardOpenOption.READ));
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
            senders.add(Thread.currentThread().getName());
            return super.transferTo(position, count, target);
        }
    }

    private void assertFileAndNextResponseArrive(WireConfig config) throws Exception {
        try (WireServer server = WireServer.with(config.workers(1).sendBuffer(16 * 1024), site)) {
            for (int i = 0; i < 5; i++) {
                try (RawClient client = server.connectWithReceiveBuffer(16 * 1024)) {
                    client.send(GET_FILE + GET_NEXT);
                    assertEquals(SIZE, client.answer().body().length());
                    assertEquals(100_000, client.answer().body().length());
                }
            }
            assertEquals(0, server.counters.value(Counter.CLIENTS_GONE));
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void onlyTheReactorSendsTheFileIfAServiceTimeoutCouldInterruptTheWorker() throws Exception {
        assertFileAndNextResponseArrive(new WireConfig().overSockets().serviceTimeout(60_000));
        assertEquals(Set.of("reactor-1"), senders);
    }

    @Test
    void theWorkerSendsTheFileIfNoServiceTimeoutIsSet() throws Exception {
        // The file records only calls of transferTo, and the server calls this method only for plain sockets.
        assertFileAndNextResponseArrive(new WireConfig().overSockets());
        assertTrue(senders.contains("worker-1"), senders.toString());
    }
}
