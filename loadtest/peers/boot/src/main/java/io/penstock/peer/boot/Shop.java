package io.penstock.peer.boot;

import io.penstock.peer.content.Calls;
import jakarta.servlet.Filter;
import java.math.BigDecimal;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** The Spring Boot application. Its database is H2 in memory. Spring Boot creates the connection pool: HikariCP with ten connections. */
@SpringBootApplication
class Shop {
    private static final int PRODUCTS = 100;
    private static final int PICTURE_BYTES = 1 << 20;

    @Bean
    ApplicationRunner stock(Products products, Pictures pictures) {
        return arguments -> {
            for (long id = 1; id <= PRODUCTS; id++) {
                products.save(new Product(id, "Product " + id, "A good one. ".repeat(10), BigDecimal.valueOf(id)));
            }
            pictures.save(new Picture(1, new byte[PICTURE_BYTES]));
        };
    }

    /** Counts the requests that are being handled, for the statistics of the load test. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    Filter counted() {
        return (request, response, chain) -> {
            Calls.enter();
            try {
                chain.doFilter(request, response);
            } finally {
                Calls.leave();
            }
        };
    }
}
