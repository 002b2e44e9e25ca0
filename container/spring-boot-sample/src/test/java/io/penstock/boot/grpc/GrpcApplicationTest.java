package io.penstock.boot.grpc;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.penstock.boot.PenstockWebServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Tests Spring Boot's gRPC in the servlet container: services and controllers share the port, without a server of gRPC. The client is that of
 * gRPC, over HTTP/2 without TLS.
 */
class GrpcApplicationTest {
    private static final MethodDescriptor<String, String> GREET = method(MethodType.UNARY, "greet");
    private static final MethodDescriptor<String, String> SPELL = method(MethodType.SERVER_STREAMING, "spell");
    private static final MethodDescriptor<String, String> ECHO = method(MethodType.BIDI_STREAMING, "echo");
    private static final MethodDescriptor<String, String> NEVER = method(MethodType.UNARY, "never");

    private static final AtomicInteger running = new AtomicInteger(); // calls of never
    private static ConfigurableApplicationContext application;
    private static ManagedChannel channel;
    private static int port;

    // ---- the application

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Controller
    static class Application {
        @Bean
        BindableService letters() {
            return new Letters();
        }

        @Bean
        SecurityFilterChain everybody(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @GetMapping("/hello")
        @ResponseBody
        String hello() {
            return "Hello";
        }
    }

    /** Messages are texts, so that no compiler of protocol buffers is needed. */
    private static final class Text implements MethodDescriptor.Marshaller<String> {
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

    private static MethodDescriptor<String, String> method(MethodType type, String name) {
        return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName("calls.Letters", name))
                .build();
    }

    private static final class Letters implements BindableService {
        @Override
        public ServerServiceDefinition bindService() {
            return ServerServiceDefinition.builder("calls.Letters")
                    .addMethod(GREET, ServerCalls.asyncUnaryCall((name, out) -> {
                        if (name.isEmpty()) {
                            out.onError(Status.INVALID_ARGUMENT
                                    .withDescription("no name")
                                    .asRuntimeException());
                            return;
                        }
                        out.onNext("Hello " + name);
                        out.onCompleted();
                    }))
                    .addMethod(SPELL, ServerCalls.asyncServerStreamingCall((word, out) -> {
                        word.chars().forEach(letter -> out.onNext(Character.toString(letter)));
                        out.onCompleted();
                    }))
                    .addMethod(ECHO, ServerCalls.asyncBidiStreamingCall(Echo::new))
                    .addMethod(NEVER, ServerCalls.asyncUnaryCall((none, out) -> {
                        running.incrementAndGet();
                        Context.current().addListener(ended -> running.decrementAndGet(), Runnable::run);
                    }))
                    .build();
        }
    }

    private record Echo(StreamObserver<String> out) implements StreamObserver<String> {
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

    @BeforeAll
    static void start() {
        application = new SpringApplication(Application.class)
                .run("--server.port=0", "--server.http2.enabled=true", "--spring.main.banner-mode=off");
        port = ((PenstockWebServer) ((WebServerApplicationContext) application).getWebServer()).getPort();
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (channel != null) {
            channel.shutdownNow().awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
        if (application != null) {
            application.close();
        }
    }

    private static ClientCall<String, String> call(MethodDescriptor<String, String> method) {
        return channel.newCall(method, CallOptions.DEFAULT.withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aUnaryCallIsAnswered() {
        assertEquals("Hello Anna", ClientCalls.blockingUnaryCall(call(GREET), "Anna"));
        StatusRuntimeException failed =
                assertThrows(StatusRuntimeException.class, () -> ClientCalls.blockingUnaryCall(call(GREET), ""));
        assertEquals(Status.Code.INVALID_ARGUMENT, failed.getStatus().getCode());
        assertEquals("no name", failed.getStatus().getDescription());
    }

    @Test
    void messagesAreStreamedInBothDirections() throws Exception {
        List<String> letters = new ArrayList<>();
        ClientCalls.blockingServerStreamingCall(call(SPELL), "abc").forEachRemaining(letters::add);
        assertEquals(List.of("a", "b", "c"), letters);

        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        StreamObserver<String> echo = ClientCalls.asyncBidiStreamingCall(call(ECHO), new StreamObserver<>() {
            @Override
            public void onNext(String message) {
                received.add(message);
            }

            @Override
            public void onError(Throwable failure) {
                received.add(failure.toString());
            }

            @Override
            public void onCompleted() {
                received.add("completed");
            }
        });
        // Each message is answered before the next one is sent.
        for (String message : List.of("one", "two", "three")) {
            echo.onNext(message);
            assertEquals(message, received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
        echo.onCompleted();
        assertEquals("completed", received.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void aCancelledCallEndsAtTheService() {
        ClientCall<String, String> call = call(NEVER);
        ClientCalls.futureUnaryCall(call, "");
        await().atMost(PATIENCE).until(() -> running.get() == 1);
        call.cancel("not wanted any more", null);
        await().atMost(PATIENCE).until(() -> running.get() == 0);
    }

    /** Boot adds this service. */
    @Test
    void theHealthServiceAnswers() {
        assertEquals(
                ServingStatus.SERVING,
                HealthGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus());
    }

    @Test
    void aControllerAnswersAtTheSamePort() throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + "/hello");
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        assertEquals("Hello", response.body());
    }
}
