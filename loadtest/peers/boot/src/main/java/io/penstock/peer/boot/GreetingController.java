package io.penstock.peer.boot;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Responds with a small JSON object, and does not use the database. The paths below {@code /slow} wait before they respond. */
@RestController
class GreetingController {
    record Greeting(String message, int number) {}

    @GetMapping("/greeting")
    Greeting greeting() {
        return new Greeting("Hello, World!", 42);
    }

    @GetMapping({"/slow/1", "/slow/2"})
    Greeting slow(@RequestParam("millis") long millis) throws InterruptedException {
        Thread.sleep(millis);
        return greeting();
    }
}
