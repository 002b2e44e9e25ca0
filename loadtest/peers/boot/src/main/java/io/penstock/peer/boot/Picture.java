package io.penstock.peer.boot;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Lob;

/** The picture of a product. */
@Entity
class Picture {
    @Id
    private long productId;

    @Lob
    private byte[] content = {};

    /** The constructor that JPA needs. */
    protected Picture() {}

    Picture(long productId, byte[] content) {
        this.productId = productId;
        this.content = content;
    }

    byte[] content() {
        return content;
    }
}
