package io.penstock.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Application;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests an application without a descriptor. Jersey's {@code ServletContainerInitializer} starts Jersey. */
class JerseyIT {

    @TempDir
    java.nio.file.Path folder;

    @ApplicationPath("api")
    public static class Api extends Application {
        @Override
        public Set<Class<?>> getClasses() {
            return Set.of(Greetings.class);
        }
    }

    @Path("greetings")
    public static class Greetings {

        @GET
        @Path("{name}")
        @Produces(MediaType.TEXT_PLAIN)
        public String greet(@PathParam("name") String name, @QueryParam("word") @DefaultValue("Hello") String word) {
            if (name.equals("nobody")) {
                throw new NotFoundException();
            }
            return word + " " + name;
        }

        @POST
        @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
        @Produces(MediaType.TEXT_PLAIN)
        public String order(@FormParam("article") String article, @FormParam("pieces") int pieces) {
            return pieces + " " + article;
        }

        @POST
        @Path("count")
        @Consumes(MediaType.APPLICATION_OCTET_STREAM)
        @Produces(MediaType.TEXT_PLAIN)
        public String count(InputStream body) throws IOException {
            return "read " + body.readAllBytes().length;
        }

        @GET
        @Path("large")
        @Produces(MediaType.TEXT_PLAIN)
        public StreamingOutput large() {
            return out -> {
                for (int i = 0; i < 10_000; i++) {
                    out.write("0123456789".getBytes(StandardCharsets.US_ASCII));
                }
            };
        }

        @GET
        @Path("later")
        @Produces(MediaType.TEXT_PLAIN)
        public void later(@Suspended AsyncResponse response) {
            Thread thread = new Thread(() -> response.resume("at last"));
            thread.start();
        }

        @GET
        @Path("events")
        @Produces(MediaType.SERVER_SENT_EVENTS)
        public void events(@Context SseEventSink sink, @Context Sse sse) {
            Thread thread = new Thread(() -> {
                try (SseEventSink open = sink) {
                    for (int i = 1; i <= 3; i++) {
                        open.send(sse.newEvent("tick " + i));
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            thread.start();
        }
    }

    private java.nio.file.Path war() throws IOException {
        return new War()
                .classes(JerseyIT.class)
                .libraries(
                        "jersey-",
                        "hk2-",
                        "aopalliance-repackaged",
                        "osgi-resource-locator",
                        "javassist",
                        "jakarta.ws.rs-api",
                        "jakarta.inject-api",
                        "jakarta.annotation-api",
                        "jakarta.validation-api",
                        "jakarta.activation-api")
                .write(folder.resolve("jersey.war"));
    }

    @Test
    void aJerseyApplicationRespondsToRequests() throws Exception {
        Trial.of(folder, war()).run(site -> {
            assertEquals("Hello Anna", site.get("api/greetings/Anna").body());
            assertEquals("Ahoy Anna", site.get("api/greetings/Anna?word=Ahoy").body());
            assertEquals(404, site.get("api/greetings/nobody").statusCode());
            assertEquals(404, site.get("elsewhere").statusCode());
            assertEquals(
                    "3 pens",
                    site.form("api/greetings", "article=pens&pieces=3").body());
            assertEquals(
                    "read 200000",
                    site.post("api/greetings/count", "application/octet-stream", "y".repeat(200_000))
                            .body());
            assertEquals(100_000, site.get("api/greetings/large").body().length());
            assertEquals("at last", site.get("api/greetings/later").body());
            HttpResponse<String> events = site.get("api/greetings/events", "Accept", "text/event-stream");
            assertEquals("data: tick 1\n\ndata: tick 2\n\ndata: tick 3\n\n", events.body());
            assertTrue(
                    site.get("api/application.wadl").statusCode() < 500, "the request for the WADL description failed");
        });
    }
}
