package io.penstock.peer.boot;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The controller that fast and slow clients call. Each method uses the database. */
@RestController
@RequestMapping("/products/{id}")
class ProductController {
    private final Products products;
    private final Pictures pictures;

    ProductController(Products products, Pictures pictures) {
        this.products = products;
        this.pictures = pictures;
    }

    /** The response to an upload. */
    record Received(String product, long bytes) {}

    @GetMapping
    Product product(@PathVariable long id) {
        return found(products.findById(id));
    }

    @GetMapping(path = "/picture", produces = MediaType.IMAGE_PNG_VALUE)
    byte[] picture(@PathVariable long id) {
        return found(pictures.findById(id)).content();
    }

    /**
     * Stores a picture. Spring reads the body before it calls this method, so the database is used only after the whole body has arrived.
     */
    @PostMapping("/picture")
    Received newPicture(@PathVariable long id, @RequestBody byte[] content) {
        Product product = found(products.findById(id));
        pictures.save(new Picture(id, content));
        return new Received(product.getName(), content.length);
    }

    /** Stores a picture. The method queries the database first, and then reads the body. */
    @PostMapping("/picture-stream")
    Received newPicture(@PathVariable long id, InputStream body) throws IOException {
        Product product = found(products.findById(id));
        byte[] content = body.readAllBytes();
        pictures.save(new Picture(id, content));
        return new Received(product.getName(), content.length);
    }

    private static <T> T found(Optional<T> row) {
        return row.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }
}
