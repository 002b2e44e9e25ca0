package io.penstock.peer.boot;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.math.BigDecimal;

/** A product in the database. Responses contain it as JSON. */
@Entity
class Product {
    @Id
    private long id;

    private String name = "";
    private String description = "";
    private BigDecimal price = BigDecimal.ZERO;

    /** The constructor that JPA needs. */
    protected Product() {}

    Product(long id, String name, String description, BigDecimal price) {
        this.id = id;
        this.name = name;
        this.description = description;
        this.price = price;
    }

    public long getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public String getDescription() {
        return description;
    }

    public BigDecimal getPrice() {
        return price;
    }
}
