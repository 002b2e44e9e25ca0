package io.penstock.admin;

import io.penstock.limits.Configuration;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.ValueType;
import io.penstock.time.Saturated;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Describes the problem of a client in words. If the client reached a limit, the description contains the limit.
 *
 * <p>Thread: any.
 */
final class Words {
    private final Configuration configuration;

    Words(Configuration configuration) {
        this.configuration = configuration;
    }

    /** The reason why a request was refused without a worker. */
    String of(int status, String reason) {
        return Key.named(reason).map(this::of).orElseGet(() -> ofStatus(status));
    }

    private String of(Key key) {
        String bound = bound(key);
        return switch (key) {
            case MAX_CONNECTIONS -> counted(key, "connection") + (isOne(key) ? " was open" : " were open");
            case MAX_CONNECTIONS_ADDRESS -> "one address had " + counted(key, "connection");
            case ALLOWED_ADDRESSES, DENIED_ADDRESSES -> "clients of this address are kept out (" + key.id() + ")";
            case UNKNOWN_HOST -> "no context has this host (" + key.id() + ")";
            case TRACE_METHOD -> "the method TRACE is switched off (" + key.id() + ")";
            case REQUEST_RATE -> "one address sent more than " + counted(key, "request") + " a second";
            case QUEUE -> "the queue was full (" + bound + ")";
            case BULKHEAD_QUEUE -> "the queue of the path's bulkhead was full";
            case QUEUE_AGE -> "waited " + bound + " for a worker";
            case OVERLOAD_AFTER -> "the workers had not kept up for " + bound;
            case PIPE_BUDGET -> "no memory was left for bodies (" + bound + ")";
            case SPOOL_LIMIT -> "bodies on disk had reached " + bound;
            case HEAD_BUDGET -> "heads of requests together had reached " + bound;
            case REQUEST_LINE_LIMIT -> "request line longer than " + bound;
            case HEADER_BYTES_LIMIT -> "header lines larger than " + bound;
            case HEADER_COUNT_LIMIT -> "more than " + counted(key, "header field");
            case CHUNK_EXTENSION_LIMIT -> "chunk extension longer than " + bound;
            case TRAILER_BYTES_LIMIT -> "trailer lines larger than " + bound;
            case BODY_LIMIT -> "body larger than " + bound;
            case HEAD_TIMEOUT -> "head not complete within " + bound;
            case BODY_STALL_TIMEOUT -> "body stalled " + bound;
            case BODY_TOTAL_TIMEOUT -> "body not complete within " + bound;
            case BODY_MIN_RATE -> "body slower than " + bound + " a second";
            case SERVICE_TIMEOUT -> "the application took longer than " + bound;
            case SHUTDOWN_TIMEOUT -> "the server ended first";
            default -> key.id() + " (" + bound + ")";
        };
    }

    private static String ofStatus(int status) {
        return switch (status) {
            case 400 -> "not a request that can be read";
            case 404 -> "no application has this path";
            case 413 -> "body too large for the application";
            case 417 -> "an unknown expectation (Expect field)";
            case 501 -> "a method or transfer coding that is not supported";
            case 505 -> "an HTTP version that is not supported";
            default -> "refused before a worker had it";
        };
    }

    /** Describes the problem that the counter counts. The result is null if the counter counts refusals or normal events. */
    @Nullable
    String of(Counter counter) {
        return switch (counter) {
            case WRITE_STALLS ->
                "closed: the client took no bytes of its response for " + bound(Key.WRITE_STALL_TIMEOUT);
            case RESPONSES_CUT -> "cut off: too many workers waited for clients already";
            case CLIENTS_GONE -> "the client disconnected before its response ended";
            case SPOOL_FAILURES -> "a write to disk failed";
            case ACCEPT_FAILURES -> "not accepted: most likely no file descriptor was left";
            case SERVICE_TIMEOUTS -> "interrupted: the application took longer than " + bound(Key.SERVICE_TIMEOUT);
            case ASYNC_TIMEOUTS -> "an asynchronous request took too long";
            case FLOOD_PAUSES -> "not read for a while: an HTTP/2 client sent a flood of frames";
            case STREAMS_REFUSED -> "one HTTP/2 connection had " + counted(Key.MAX_STREAMS, "request");
            default -> null;
        };
    }

    private String counted(Key key, String noun) {
        return Figures.count(configuration.number(key), noun);
    }

    private boolean isOne(Key key) {
        return configuration.number(key) == 1;
    }

    /** Formats a limit for human readers: {@code 10 s}, {@code 1,024}, {@code 64K}. */
    private String bound(Key key) {
        if (key.type() == ValueType.NUMBER) {
            return Figures.count(configuration.number(key));
        }
        if (key.type() == ValueType.DURATION) {
            Duration duration = configuration.duration(key);
            return Figures.time(Saturated.nanos(duration));
        }
        return configuration.setting(key).shown();
    }
}
