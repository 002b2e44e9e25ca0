package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the generated scripts for wrk, how the output of wrk and h2load is parsed, and which client is used. The tests run neither. */
class ClientTest {
    private static final Requests GET = Requests.get("/hello", 13, 64);

    @Test
    void theScriptForAGetRequestIsEmpty() {
        assertEquals("", Client.Wrk.script(GET));
    }

    @Test
    void theScriptForARequestBodyContainsTheMethodPost() {
        assertEquals("""
            wrk.method = 'POST'
            wrk.headers['Content-Type'] = 'application/octet-stream'
            wrk.body = string.rep('x', 1024)
            """, Client.Wrk.script(Requests.post("/echo", 1024, 1024, 64)));
    }

    @Test
    void theScriptForNewConnectionsContainsConnectionClose() {
        assertEquals("wrk.headers['Connection'] = 'close'\n", Client.Wrk.script(GET.closing()));
    }

    @Test
    void theScriptForPipeliningSendsSeveralRequestsTogether() {
        assertEquals("""
            local all
            init = function(args) all = string.rep(wrk.format(), 16) end
            request = function() return all end
            """, Client.Wrk.script(GET.pipelining(16)));
    }

    @Test
    void theRequestCountAndTheDurationAndTheLatencyAreParsed() throws IOException {
        assertEquals(new Client.Got(200_000, 0, 2, 0.6, 1.5, ""), Client.Wrk.parse("""
            Running 2s test @ http://127.0.0.1:8080/hello
              1 threads and 64 connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency   628.01us  221.84us   6.01ms   89.85%
                Req/Sec   100.31k     4.48k  108.66k    70.00%
              Latency Distribution
                 50%  600.00us
                 75%  700.00us
                 90%  900.00us
                 99%    1.50ms
              200000 requests in 2.00s, 24.32MB read
            Requests/sec: 100000.00
            Transfer/sec:     12.17MB
            """));
    }

    @Test
    void aLatencyOfZeroIsNotAMeasurement() throws IOException {
        assertEquals(new Client.Got(200_000, 0, 2, 0.6, Double.NaN, ""), Client.Wrk.parse("""
                 50%  600.00us
                 99%    0.00us
              200000 requests in 2.00s, 24.32MB read
            Requests/sec: 100000.00
            """));
    }

    @Test
    void unexpectedStatusesAndSocketErrorsAreCountedAsFailures() throws IOException {
        assertEquals(
                new Client.Got(
                        900,
                        100 + 1 + 2 + 3 + 4,
                        2,
                        Double.NaN,
                        Double.NaN,
                        "other statuses: 100; socket errors: connect 1, read 2, write 3, timeout 4"),
                Client.Wrk.parse("""
                      1000 requests in 2.00s, 24.32MB read
                      Socket errors: connect 1, read 2, write 3, timeout 4
                      Non-2xx or 3xx responses: 100
                    Requests/sec:    500.00
                    """));
    }

    @Test
    void theOutputOfARunWithoutResponsesIsParsed() throws IOException {
        assertEquals(
                new Client.Got(0, 0, 0, Double.NaN, Double.NaN, ""),
                Client.Wrk.parse("  0 requests in 2.00s, 0.00B read\nRequests/sec:      0.00\n"));
    }

    @Test
    void unexpectedOutputIsRefused() {
        String output = "unable to connect to 127.0.0.1:1 Connection refused\n";
        assertThrows(IOException.class, () -> Client.Wrk.parse(output));
    }

    @Test
    void theStatusesAndTheDurationOfH2loadAreParsed() throws IOException {
        assertEquals(new Client.Got(150_000, 0, 2.5, Double.NaN, Double.NaN, ""), Client.H2load.parse("""
            finished in 2.50s, 60000.00 req/s, 7.30MB/s
            requests: 150000 total, 150064 started, 150000 done, 150000 succeeded, 0 failed, 0 errored, 0 timeout
            status codes: 150000 2xx, 0 3xx, 0 4xx, 0 5xx
            """));
    }

    @Test
    void requestsThatFailAreCountedOnceInTheOutputOfH2load() throws IOException {
        Client.Got got = Client.H2load.parse("""
            finished in 500.00ms, 60000.00 req/s, 7.30MB/s
            requests: 100 total, 100 started, 100 done, 60 succeeded, 40 failed, 3 errored, 2 timeout
            status codes: 60 2xx, 0 3xx, 0 4xx, 37 5xx
            """);
        assertEquals(60, got.good());
        assertEquals(40 + 2, got.failed());
        assertEquals(0.5, got.seconds());
        assertThrows(IOException.class, () -> Client.H2load.parse("Could not resolve host"));
    }

    @Test
    void aServerThatOffersNoHttp2IsNotMeasured() {
        IOException none = assertThrows(IOException.class, () -> Client.H2load.parse("""
            No supported protocol was negotiated. Supported protocols were:
            h2
            finished in 2.01s, 0.00 req/s, 0B/s
            requests: 0 total, 0 started, 0 done, 0 succeeded, 0 failed, 0 errored, 0 timeout
            status codes: 0 2xx, 0 3xx, 0 4xx, 0 5xx
            """));
        assertEquals("the server does not offer HTTP/2", none.getMessage());
    }

    @Test
    void aNamedClientSendsEverythingThatItCanAndOtherwiseLargeBodiesAreSentByTheOwnClient() {
        Requests large = Requests.get("/generated?bytes=1048576", 1 << 20, 64);
        assertEquals(Client.OWN, Client.of("auto", large));
        assertEquals(Client.OWN, Client.of("own", GET));
        assertEquals(Client.WRK, Client.of("wrk", large));
        assertEquals(Client.H2LOAD, Client.of("h2load", GET));
        assertEquals(Client.OWN, Client.of("h2load", GET.closing()));
        assertEquals(Client.H2LOAD, Client.of("own", large.overHttp2(16)));
    }

    @Test
    void anUnknownClientIsRefused() {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> Client.check("ab"));
        assertEquals("--client: no such client: 'ab'; use auto, wrk, h2load, own", wrong.getMessage());
    }

    @Test
    void theReasonOfAFailedProgramIsOneLineWithTheLastOneOfItsOutput() {
        List<String> command = List.of("sh", "-c", "echo starting; echo 'no route to the server'; exit 3");
        IOException failed =
                assertThrows(IOException.class, () -> Client.output(Duration.ofSeconds(1), command, line -> false));
        assertEquals("sh has ended with code 3; its last line: no route to the server", failed.getMessage());
    }

    @Test
    void aProgramEndsIfItsMeasurementIsInterrupted() throws Exception {
        CompletableFuture<Long> pid = new CompletableFuture<>();
        List<String> command = List.of("sh", "-c", "echo $$; exec sleep 3600");
        FutureTask<String> measuring = new FutureTask<>(() -> Client.output(Duration.ofHours(1), command, line -> {
            pid.complete(Long.valueOf(line));
            return false;
        }));
        Thread thread = new Thread(measuring);
        thread.start();
        ProcessHandle program = ProcessHandle.of(pid.get(1, TimeUnit.MINUTES)).orElseThrow();
        try {
            thread.interrupt();
            program.onExit().get(1, TimeUnit.MINUTES);
        } finally {
            program.destroyForcibly();
        }
        ExecutionException stopped = assertThrows(ExecutionException.class, () -> measuring.get(1, TimeUnit.MINUTES));
        assertInstanceOf(InterruptedException.class, stopped.getCause());
    }
}
