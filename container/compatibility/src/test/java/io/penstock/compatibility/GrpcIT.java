package io.penstock.compatibility;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.servlet.jakarta.GrpcServlet;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import jakarta.servlet.annotation.WebServlet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests calls of gRPC: a service in a servlet of gRPC's own adapter, and gRPC's client, over HTTP/2 without TLS. */
class GrpcIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int LARGE = 3_000_000; // the service of gRPC takes 4 MB

    @TempDir
    Path folder;

    /** Messages are texts, so that no compiler of protocol buffers is needed. */
    public static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    // ---- the service

    @WebServlet(urlPatterns = "/calls.Letters/*", asyncSupported = true)
    public static class LettersServlet extends GrpcServlet {
        public LettersServlet() {
            super(List.of(new Letters()));
        }
    }

    public static final class Letters implements BindableService {
        /** With the path of the application. */
        private static final String SERVICE = "app/calls.Letters";

        static final Metadata.Key<String> ADVICE = Metadata.Key.of("x-advice", Metadata.ASCII_STRING_MARSHALLER);
        static final MethodDescriptor<String, String> GREET = method(MethodType.UNARY, "greet");
        static final MethodDescriptor<String, String> SPELL = method(MethodType.SERVER_STREAMING, "spell");
        static final MethodDescriptor<String, String> JOIN = method(MethodType.CLIENT_STREAMING, "join");
        static final MethodDescriptor<String, String> ECHO = method(MethodType.BIDI_STREAMING, "echo");
        static final MethodDescriptor<String, String> NEVER = method(MethodType.UNARY, "never");
        static final MethodDescriptor<String, String> COUNT = method(MethodType.UNARY, "count");

        static MethodDescriptor<String, String> method(MethodType type, String name) {
            return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
                    .setType(type)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                    .build();
        }

        private final AtomicInteger begun = new AtomicInteger(); // calls of never
        private final AtomicInteger cancelled = new AtomicInteger();

        @Override
        public ServerServiceDefinition bindService() {
            return ServerServiceDefinition.builder(SERVICE)
                    .addMethod(GREET, ServerCalls.asyncUnaryCall(Letters::greet))
                    .addMethod(SPELL, ServerCalls.asyncServerStreamingCall(Letters::spell))
                    .addMethod(JOIN, ServerCalls.asyncClientStreamingCall(Joining::new))
                    .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(Echo::new))
                    .addMethod(NEVER, ServerCalls.asyncUnaryCall((none, out) -> {
                        ((ServerCallStreamObserver<String>) out).setOnCancelHandler(cancelled::incrementAndGet);
                        begun.incrementAndGet();
                    }))
                    .addMethod(COUNT, ServerCalls.asyncUnaryCall((what, out) -> {
                        out.onNext((what.equals("begun") ? begun : cancelled).toString());
                        out.onCompleted();
                    }))
                    .build();
        }

        private static void greet(String name, StreamObserver<String> out) {
            if (name.equals("nobody")) {
                Metadata trailers = new Metadata();
                trailers.put(ADVICE, "ask for somebody");
                out.onError(Status.NOT_FOUND.withDescription("no such name").asRuntimeException(trailers));
            } else {
                out.onNext("Hello " + name);
                out.onCompleted();
            }
        }

        /** Sends each letter. A call with a digit ends with a status behind the letters before it. */
        private static void spell(String word, StreamObserver<String> out) {
            for (char letter : word.toCharArray()) {
                if (Character.isDigit(letter)) {
                    out.onError(
                            Status.INVALID_ARGUMENT.withDescription("a digit").asRuntimeException());
                    return;
                }
                out.onNext(String.valueOf(letter));
            }
            out.onCompleted();
        }

        private static class Echo implements StreamObserver<String> {
            final StreamObserver<String> out;

            Echo(StreamObserver<String> out) {
                this.out = out;
            }

            @Override
            public void onNext(String message) {
                out.onNext(message);
            }

            @Override
            public void onError(Throwable failure) {
                // The client has left.
            }

            @Override
            public void onCompleted() {
                out.onCompleted();
            }
        }

        private static final class Joining extends Echo {
            private final StringBuilder joined = new StringBuilder();

            Joining(StreamObserver<String> out) {
                super(out);
            }

            @Override
            public void onNext(String message) {
                joined.append(message);
            }

            @Override
            public void onCompleted() {
                out.onNext(joined.toString());
                out.onCompleted();
            }
        }
    }

    // ---- the client

    /** Keeps what arrives of a call. The last entry is the status. */
    private static final class Received implements StreamObserver<String> {
        private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();

        @Override
        public void onNext(String message) {
            arrived.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            arrived.add(Status.fromThrowable(failure).getCode().name());
        }

        @Override
        public void onCompleted() {
            arrived.add("OK");
        }

        String next() throws InterruptedException {
            return String.valueOf(arrived.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private static ClientCall<String, String> call(Channel channel, MethodDescriptor<String, String> method) {
        return channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    private static String unary(Channel channel, MethodDescriptor<String, String> method, String message) {
        return ClientCalls.blockingUnaryCall(call(channel, method), message);
    }

    private static void awaitCount(Channel channel, String what, int count) {
        await().atMost(PATIENCE).until(() -> Integer.parseInt(unary(channel, Letters.COUNT, what)) == count);
    }

    private static void useService(Channel channel) throws Exception {
        assertEquals("Hello Anna", unary(channel, Letters.GREET, "Anna"));
        assertEquals("Hello ", unary(channel, Letters.GREET, ""));
        String large = "é".repeat(LARGE / 2);
        assertEquals("Hello " + large, unary(channel, Letters.GREET, large));
        manyCallsAtOnce(channel);
        streams(channel);
        statusesAndTrailers(channel);
        endsByTheClient(channel);
    }

    private static void manyCallsAtOnce(Channel channel) throws Exception {
        List<Future<String>> running = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            running.add(ClientCalls.futureUnaryCall(call(channel, Letters.GREET), "number " + i));
        }
        for (int i = 0; i < running.size(); i++) {
            assertEquals("Hello number " + i, running.get(i).get());
        }
    }

    private static void streams(Channel channel) throws Exception {
        String word = "abcdefghij".repeat(1_000);
        StringBuilder spelled = new StringBuilder();
        Iterator<String> letters = ClientCalls.blockingServerStreamingCall(call(channel, Letters.SPELL), word);
        letters.forEachRemaining(spelled::append);
        assertEquals(word, spelled.toString());

        Received joined = new Received();
        StreamObserver<String> parts = ClientCalls.asyncClientStreamingCall(call(channel, Letters.JOIN), joined);
        for (int i = 0; i < 1_000; i++) {
            parts.onNext("abcdefghij");
        }
        parts.onCompleted();
        assertEquals(word, joined.next());
        assertEquals("OK", joined.next());

        // Each message is answered before the next one is sent.
        Received echoed = new Received();
        StreamObserver<String> echo = ClientCalls.asyncBidiStreamingCall(call(channel, Letters.ECHO), echoed);
        for (int i = 0; i < 200; i++) {
            echo.onNext("message " + i);
            assertEquals("message " + i, echoed.next());
        }
        echo.onCompleted();
        assertEquals("OK", echoed.next());
    }

    private static void statusesAndTrailers(Channel channel) throws Exception {
        StatusRuntimeException unknown =
                assertThrows(StatusRuntimeException.class, () -> unary(channel, Letters.GREET, "nobody"));
        assertEquals(Status.Code.NOT_FOUND, unknown.getStatus().getCode());
        assertEquals("no such name", unknown.getStatus().getDescription());
        assertEquals("ask for somebody", unknown.getTrailers().get(Letters.ADVICE));

        Received letters = new Received();
        ClientCalls.asyncServerStreamingCall(call(channel, Letters.SPELL), "ab1", letters);
        assertEquals("a", letters.next());
        assertEquals("b", letters.next());
        assertEquals("INVALID_ARGUMENT", letters.next());

        StatusRuntimeException missing = assertThrows(
                StatusRuntimeException.class, () -> unary(channel, Letters.method(MethodType.UNARY, "missing"), ""));
        assertEquals(Status.Code.UNIMPLEMENTED, missing.getStatus().getCode());

        // The service ends a call whose message is too large before the message has arrived.
        assertThrows(StatusRuntimeException.class, () -> unary(channel, Letters.GREET, "x".repeat(5_000_000)));
        assertEquals("Hello Anna", unary(channel, Letters.GREET, "Anna"));
    }

    private static void endsByTheClient(Channel channel) throws Exception {
        int abandoned = 20;
        List<Future<String>> running = new ArrayList<>();
        for (int i = 0; i < abandoned; i++) {
            running.add(ClientCalls.futureUnaryCall(call(channel, Letters.NEVER), ""));
        }
        awaitCount(channel, "begun", abandoned);
        awaitCount(channel, "cancelled", 0);
        for (Future<String> call : running) {
            call.cancel(true);
        }
        awaitCount(channel, "cancelled", abandoned);

        ClientCall<String, String> late =
                channel.newCall(Letters.NEVER, CallOptions.DEFAULT.withDeadlineAfter(300, TimeUnit.MILLISECONDS));
        StatusRuntimeException passed =
                assertThrows(StatusRuntimeException.class, () -> ClientCalls.blockingUnaryCall(late, ""));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, passed.getStatus().getCode());
    }

    @Test
    void callsOfGrpcAreAnswered() throws Exception {
        Path war = new War()
                .classes(GrpcIT.class)
                .libraries(
                        "grpc-servlet-jakarta",
                        "grpc-api",
                        "grpc-context",
                        "grpc-core",
                        "grpc-stub",
                        "grpc-util",
                        "guava-",
                        "failureaccess-",
                        "perfmark-api-")
                .write(folder.resolve("grpc.war"));
        Trial.of(folder, war).with("--h2c=on").run(site -> {
            ManagedChannel channel = NettyChannelBuilder.forAddress(
                            site.root().getHost(), site.root().getPort())
                    .usePlaintext()
                    .maxInboundMessageSize(2 * LARGE)
                    .build();
            try {
                useService(channel);
            } finally {
                channel.shutdownNow().awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            }
        });
    }
}
