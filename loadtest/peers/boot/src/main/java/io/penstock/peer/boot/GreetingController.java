package io.penstock.peer.boot;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A small JSON object, without the database. */
@RestController
class GreetingController {
    record Greeting(String message, int number) {}

    @GetMapping("/greeting")
    Greeting greeting() {
        return new Greeting("Hello, World!", 42);
    }
}
