package io.penstock.peer.boot;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Responds with a small JSON object, and does not use the database. */
@RestController
class GreetingController {
    record Greeting(String message, int number) {}

    @GetMapping("/greeting")
    Greeting greeting() {
        return new Greeting("Hello, World!", 42);
    }
}
