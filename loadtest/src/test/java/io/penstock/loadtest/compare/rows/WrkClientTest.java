package io.penstock.loadtest.compare.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the generated scripts for the load generator wrk, and how the output of wrk is parsed. The tests do not run wrk. */
class WrkClientTest {
    private static final Work.Requests GET = Work.Requests.get("hello", "hello", "/hello", 13, 64);

    @Test
    void theScriptForAGetRequestIsEmpty() {
        assertEquals("", WrkClient.script(GET));
    }

    @Test
    void theScriptForARequestBodyContainsTheMethodPost() {
        assertEquals("""
            wrk.method = 'POST'
            wrk.headers['Content-Type'] = 'application/octet-stream'
            wrk.body = string.rep('x', 1024)
            """, WrkClient.script(Work.Requests.post("echo", "echo", "/echo", 1024, 64)));
    }

    @Test
    void theScriptForNewConnectionsContainsConnectionClose() {
        assertEquals("wrk.headers['Connection'] = 'close'\n", WrkClient.script(GET.closing()));
    }

    @Test
    void theScriptForPipeliningSendsSeveralRequestsTogether() {
        assertEquals("""
            local all
            init = function(args) all = string.rep(wrk.format(), 16) end
            request = function() return all end
            """, WrkClient.script(GET.pipelining(16)));
    }

    @Test
    void theRequestCountAndTheDurationAndTheLatencyAreParsed() throws IOException {
        assertEquals(new Client.Got(200_000, 0, 2, 2.5, ""), WrkClient.parse("""
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
    void unexpectedStatusesAndSocketErrorsAreCountedAsFailures() throws IOException {
        assertEquals(
                new Client.Got(
                        900,
                        100 + 1 + 2 + 3 + 4,
                        2,
                        Double.NaN,
                        "other statuses: 100; socket errors: connect 1, read 2, write 3, timeout 4"),
                WrkClient.parse("""
                      1000 requests in 2.00s, 24.32MB read
                      Socket errors: connect 1, read 2, write 3, timeout 4
                      Non-2xx or 3xx responses: 100
                    Requests/sec:    500.00
                    """));
    }

    @Test
    void theOutputOfARunWithoutResponsesIsParsed() throws IOException {
        assertEquals(
                new Client.Got(0, 0, 0, Double.NaN, ""),
                WrkClient.parse("  0 requests in 2.00s, 0.00B read\nRequests/sec:      0.00\n"));
    }

    @Test
    void unexpectedOutputIsRefused() {
        assertThrows(IOException.class, () -> WrkClient.parse("unable to connect to 127.0.0.1:1 Connection refused\n"));
    }
}
