package io.penstock.compatibility.more;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.compatibility.Site;
import io.penstock.compatibility.Trial;
import io.penstock.compatibility.War;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.graphql.client.WebSocketGraphQlClient;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SubscriptionMapping;
import org.springframework.graphql.data.method.annotation.support.AnnotatedControllerConfigurer;
import org.springframework.graphql.execution.DefaultExecutionGraphQlService;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.graphql.server.WebGraphQlHandler;
import org.springframework.graphql.server.webmvc.GraphQlWebSocketHandler;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.stereotype.Controller;
import org.springframework.web.reactive.socket.client.ReactorNettyWebSocketClient;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.support.AbstractAnnotationConfigDispatcherServletInitializer;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;
import org.springframework.web.socket.server.support.WebSocketHandlerMapping;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Tests subscriptions of Spring for GraphQL by its own client, over the protocol {@code graphql-transport-ws}. */
class GraphQlSubscriptionsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final int MANY = 1000;

    private static final String SCHEMA = """
            type Query { running: Int }
            type Subscription { countTo(last: Int): Int  forever: String }
            """;

    @TempDir
    Path folder;

    /** Spring's {@code ServletContainerInitializer} finds this class. */
    public static class Start extends AbstractAnnotationConfigDispatcherServletInitializer {
        @Override
        protected Class<?>[] getRootConfigClasses() {
            return new Class<?>[0];
        }

        @Override
        protected Class<?>[] getServletConfigClasses() {
            return new Class<?>[] {Beans.class};
        }

        @Override
        protected String[] getServletMappings() {
            return new String[] {"/"};
        }
    }

    @Configuration
    public static class Beans {
        @Bean
        public Numbers numbers() {
            return new Numbers();
        }

        /** Ends the threads of Reactor, which it keeps for the whole life of a JVM. */
        @Bean
        public DisposableBean threads() {
            return Schedulers::shutdownNow;
        }

        @Bean
        public AnnotatedControllerConfigurer controllers() {
            return new AnnotatedControllerConfigurer();
        }

        @Bean
        public HandlerMapping graphQl(AnnotatedControllerConfigurer controllers) {
            GraphQlSource source = GraphQlSource.schemaResourceBuilder()
                    .schemaResources(new ByteArrayResource(SCHEMA.getBytes(StandardCharsets.UTF_8)))
                    .configureRuntimeWiring(controllers)
                    .build();
            WebGraphQlHandler handler = WebGraphQlHandler.builder(new DefaultExecutionGraphQlService(source))
                    .build();
            WebSocketHandlerMapping mapping = new WebSocketHandlerMapping();
            mapping.setWebSocketUpgradeMatch(true);
            mapping.setUrlMap(Map.of(
                    "/graphql",
                    new GraphQlWebSocketHandler(handler, json(), PATIENCE)
                            .initWebSocketHttpRequestHandler(new DefaultHandshakeHandler())));
            return mapping;
        }

        @SuppressWarnings("unchecked")
        private static HttpMessageConverter<Object> json() {
            return (HttpMessageConverter<Object>) (HttpMessageConverter<?>) new JacksonJsonHttpMessageConverter();
        }
    }

    @Controller
    public static class Numbers {
        /** The number of subscriptions of {@code forever} that have not ended. */
        private final AtomicInteger running = new AtomicInteger();

        @QueryMapping
        public int running() {
            return running.get();
        }

        @SubscriptionMapping
        public Flux<Integer> countTo(@Argument int last) {
            return Flux.range(1, last);
        }

        @SubscriptionMapping
        public Flux<String> forever() {
            return Flux.<String>never()
                    .startWith("begun")
                    .doOnSubscribe(begun -> running.incrementAndGet())
                    .doFinally(ended -> running.decrementAndGet());
        }
    }

    private Path war() throws IOException {
        return new War()
                .classes(GraphQlSubscriptionsIT.class)
                .libraries(
                        "spring-",
                        "micrometer-",
                        "jspecify",
                        "commons-logging",
                        "jackson-",
                        "graphql-java",
                        "java-dataloader",
                        "reactor-core",
                        "reactive-streams",
                        "context-propagation")
                .write(folder.resolve("graphql.war"));
    }

    @Test
    void aSubscriptionEndsByItselfOrByTheClient() throws Exception {
        Trial.of(folder, war()).run(GraphQlSubscriptionsIT::subscribe);
    }

    private static void subscribe(Site site) {
        URI uri = URI.create(site.uri("graphql").toString().replaceFirst("http:", "ws:"));
        WebSocketGraphQlClient client = WebSocketGraphQlClient.create(uri, new ReactorNettyWebSocketClient());
        List<Integer> numbers = client.document("subscription { countTo(last: " + MANY + ") }")
                .retrieveSubscription("countTo")
                .toEntity(Integer.class)
                .collectList()
                .block(PATIENCE);
        assertEquals(Flux.range(1, MANY).collectList().block(PATIENCE), numbers);

        AtomicInteger begun = new AtomicInteger();
        List<Disposable> subscriptions = Flux.range(0, 10)
                .map(i -> client.document("subscription { forever }")
                        .retrieveSubscription("forever")
                        .toEntity(String.class)
                        .subscribe(text -> begun.incrementAndGet()))
                .collectList()
                .block(PATIENCE);
        await().atMost(PATIENCE).until(() -> begun.get() == 10);
        assertEquals(10, running(client));
        subscriptions.get(0).dispose();
        await().atMost(PATIENCE).until(() -> running(client) == 9);
        // The end of the connection ends the others.
        client.stop().block(PATIENCE);
        client.start().block(PATIENCE);
        await().atMost(PATIENCE).until(() -> running(client) == 0);
        client.stop().block(PATIENCE);
    }

    private static int running(WebSocketGraphQlClient client) {
        return client.document("{ running }")
                .retrieve("running")
                .toEntity(Integer.class)
                .block(PATIENCE);
    }
}
