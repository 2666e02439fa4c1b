# Normalized cross-correlation as one writes it with CuPy and with PyTorch, on data that lie on the card. Medians of 20.
import statistics


def median_ms(work, wait, repeats):
    import time
    for _ in range(3):
        work()
    wait()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        wait()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times)


def cupy_times(sizes):
    import cupy
    from cupyx.scipy import fft
    wait = cupy.cuda.Device().synchronize

    def windows(pixels, h, w):
        table = cupy.pad(cupy.cumsum(cupy.cumsum(pixels.astype(cupy.float64), 0), 1), ((1, 0), (1, 0)))
        return table[h:, w:] - table[:-h, w:] - table[h:, :-w] + table[:-h, :-w]

    def correlate(image, template):
        (rows, columns), (h, w) = image.shape, template.shape
        model = template - template.mean()
        extents = fft.next_fast_len(rows), fft.next_fast_len(columns)
        products = fft.irfft2(fft.rfft2(image, extents) * cupy.conj(fft.rfft2(model, extents)), extents)[:rows - h + 1, :columns - w + 1]
        sums = windows(image, h, w)
        variance = cupy.maximum(windows(image * image, h, w) - sums * sums / (h * w), 0) * (model.astype(cupy.float64) ** 2).sum()
        return cupy.where(variance > 1e-12, products / cupy.sqrt(variance), 0).astype(cupy.float32)

    for side in sizes:
        image = cupy.random.randint(0, 256, (2000, 2000)).astype(cupy.float32)
        template = image[100:100 + side, 120:120 + side].copy()
        print(f"CuPy {cupy.__version__}, Fourier, 2000x2000 with {side}x{side}: {median_ms(lambda: correlate(image, template), wait, 20):.4f} ms", flush=True)


def torch_times(sizes):
    import torch
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True
    convolve = torch.nn.functional.conv2d

    def correlate(image, template):
        h, w = template.shape[-2:]
        model = template - template.mean()
        down, across = torch.ones((1, 1, h, 1), device="cuda"), torch.ones((1, 1, 1, w), device="cuda")
        sums, squares = convolve(convolve(image, down), across), convolve(convolve(image * image, down), across)
        return convolve(image, model) / torch.sqrt((squares - sums * sums / (h * w)).clamp_min(1e-6) * (model * model).sum())

    for side in sizes:
        image = torch.randint(0, 256, (1, 1, 2000, 2000), device="cuda").float()
        template = image[:, :, 100:100 + side, 120:120 + side].clone()
        print(f"PyTorch {torch.__version__}, conv2d, 2000x2000 with {side}x{side}: "
              f"{median_ms(lambda: correlate(image, template), torch.cuda.synchronize, 20):.4f} ms", flush=True)


for name, times, sides in (("CuPy", cupy_times, (8, 32, 128)), ("PyTorch", torch_times, (8, 32))):
    try:
        times(sides)
    except ImportError as missing:
        print(f"{name}: not here ({missing})")
