package io.penstock.boot.sample;

import jakarta.validation.Valid;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.MediaType;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The HTTP and WebSocket endpoints that the scripts of the pages use. */
@RestController
class Interfaces {

    private final List<SseEmitter> listening = new CopyOnWriteArrayList<>();

    /** The state of an order, which is sent as JSON. */
    record State(String article, String state) {}

    @GetMapping("/api/orders/{article}")
    State state(@PathVariable("article") String article) {
        return new State(article, "in the lathe");
    }

    @PostMapping("/api/orders")
    State order(@Valid @RequestBody OrderForm order) {
        return new State(order.getArticle(), "accepted");
    }

    @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter events() throws IOException {
        SseEmitter emitter = new SseEmitter(0L);
        listening.add(emitter);
        emitter.onCompletion(() -> listening.remove(emitter));
        step(emitter, 1);
        return emitter;
    }

    private static void step(SseEmitter emitter, int number) throws IOException {
        emitter.send(
                SseEmitter.event().id(Integer.toString(number)).name("step").data("step " + number));
    }

    /** Ends all event streams. The streams are endless, so a graceful shutdown would otherwise wait for them. */
    @EventListener(ContextClosedEvent.class)
    void end() {
        listening.forEach(SseEmitter::complete);
    }

    @MessageMapping("/talk")
    @SendTo("/topic/talk")
    String talk(String text) throws IOException {
        for (SseEmitter emitter : listening) {
            step(emitter, 2);
        }
        return "heard: " + text;
    }
}
